"""Columns by schemas of a registry: Avro, JSON Schema and Protobuf, Confluent's framing.

    from moldau.spark.registry import from_registry, to_registry

    order = from_registry("value", "http://localhost:8081", "id bigint, what string")
    value = to_registry(sql.struct("id", "what"), "http://localhost:8081", subject="orders-value")

Each record is read by the schema that it names, so those of older and newer schemas may lie side by
side. Spark's workers ask the registry once for each schema and keep it. The registry may be
Confluent's, Karapace or `moldau registry`; where it is may be its URL, or options as
`moldau.client.schemas` takes them.

Reading order: texts (values as JSON), workers (what runs in Spark's workers), columns.
"""

from __future__ import annotations

from moldau.spark.registry.columns import decoded, from_registry, to_registry

__all__ = ["decoded", "from_registry", "to_registry"]
