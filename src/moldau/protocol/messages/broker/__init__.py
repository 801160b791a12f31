"""What brokers send to the active controller."""
