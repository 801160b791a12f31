"""Which records a topic refuses by its schemas (`confluent.value.schema.validation`).

`gate` is what the produce path asks, `checks` judges records, `frames` reads the ids that stand
before their payloads, and `registry` keeps what the schemas topic holds.
"""
