"""Produce: from the bytes of a request to batches in logs.

Reading order: batches (what producers send, checked before anything is appended), verification (of
transactions, with their coordinator), appending (each batch to its partition, and the wait for
replicas), handler (the order of these), reader (requests of the commonest shape, from their bytes);
and where a topic asks for schemas: schema_frames (what records name), schema_checks (whether that
is right), schema_registry (where it is looked up), schema_gate (for whole requests).
"""
