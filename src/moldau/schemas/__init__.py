"""Schemas: what they mean, their canonical text, which may follow which, and data by them.

Owns the languages of the registry, Avro, JSON Schema and Protobuf, behind one table
(`kinds`): parse with references, canonical and normalized text, fingerprints, other formats, and
compatibility, where everything that breaks is named by its rule and its path; and values to bytes
and back. Pure: no topic, no HTTP, no clock.

Reading order: model (what is registered), data_errors, parsed (what each language answers), levels
(the seven levels of compatibility), avro, json_schema, protobuf (the languages), kinds (the table
of them), framing (how a record names its schema), tags (which fields metadata means), inline_tags
(those in a text), subjects (the name that it is registered under), of_types (schemas of Python's
types), shapes (schemas as columns and classes), known (what a registry has of one, for brokers),
rules (that schemas have), cel (those in that language), cel_values and cel_functions (what they see
and ask), cel_filter (conditions on records).
"""
