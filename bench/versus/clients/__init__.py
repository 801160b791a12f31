"""Programs that drive librdkafka, each in a process of its own; they print JSON."""
