"""The settings of clients, by Kafka's dotted names and with Kafka's defaults.

`client` holds what all clients share; the others add what theirs alone has.
"""
