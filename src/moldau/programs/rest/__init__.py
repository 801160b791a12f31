"""Kafka over HTTP: the API of Confluent's REST proxy, in front of any cluster.

Owns how a request of HTTP becomes calls of our client, and what comes of them a response, with the
paths, bodies and codes of Confluent's proxy. It keeps nothing of a cluster but connections.

Reading order: refusals (codes), bodies (what requests bring), times, links (resources of v3),
formats (keys and values), schemas (the same by a registry), json_stream, sending, clients, scope,
v3, v2, operations (the OpenAPI document), idempotency (the same answer again), tenant (what one
principal has), service.
"""
