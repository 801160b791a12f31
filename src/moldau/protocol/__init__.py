"""Kafka's protocol as bytes: what a message, a frame and a record batch look like.

No package here knows what a request means, keeps state or does input and output; brokers and
clients share all of it.

Reading order: `wire` (types, and the compiler that makes codecs), `messages` (every API, one file
each), `records` (record batches, compression, Arrow); `otlp` (metrics as OpenTelemetry reads them).
"""
