"""The controllers among themselves, and tools that ask or change the quorum."""
