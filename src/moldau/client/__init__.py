"""Clients: what asks brokers, and reads from them.

Owns what a client believes and decides, and the two ways to run that: on a loop (`aio`), and for
programs that have none (`sync`). It never looks into a broker's own rooms. As yet clients read;
the producer and the consumer with its group will stand on the same core.

Reading order: topic_partition, errors, settings, core (what is decided, without a socket or a
clock), aio (the sockets), arrow (records as columns), sync.
"""

from moldau.client.topic_partition import TopicPartition

__all__ = ["TopicPartition"]
