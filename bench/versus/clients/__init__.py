"""Programs that drive librdkafka through confluent-kafka, each a process of its own.

They take their load as arguments, count and measure on the client's side, and print one JSON
object of samples. Nothing of ours is imported: the client must not know whom it asks.
"""
