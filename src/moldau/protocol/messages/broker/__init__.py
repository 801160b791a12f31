"""What brokers tell and ask the active controller."""
