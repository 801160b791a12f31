"""Which records a topic refuses by its schemas (`confluent.value.schema.validation`).

`gate` is what the produce path asks, `checks` judges records, `frames` reads the ids that stand
before their payloads, `conditions` runs the rules of schemas, and `registry` asks a registry.
"""
