"""Numbers that settings are made of."""

MIB = 1 << 20
GIB = 1 << 30
NO_LIMIT = 2**31 - 1
"""What Kafka writes where a count has no bound."""
FOREVER = 2**63 - 1
"""What Kafka writes where a time has none."""
