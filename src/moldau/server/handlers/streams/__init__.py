"""Streams groups: membership with a topology, and what tools ask (KIP-1071)."""
