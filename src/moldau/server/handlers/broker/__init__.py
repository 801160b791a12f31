"""What brokers tell and ask the active controller, on its listeners."""
