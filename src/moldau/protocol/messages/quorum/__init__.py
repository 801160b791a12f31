"""The controllers among themselves (KRaft)."""
