"""Groups of Kafka Streams (KIP-1071)."""
