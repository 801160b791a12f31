"""Groups: finding their coordinator, membership, offsets, and what tools ask."""
