"""One partition's files, exactly as Apache Kafka 4.3 has them."""
