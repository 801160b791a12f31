"""Every message of Kafka 4.3.1, request beside response."""
