"""Schemas: what they mean, their canonical text, and which may follow which.

Owns the languages of the registry, Avro, JSON Schema and Protobuf, behind one table
(`kinds`): parse with references, canonical and normalized text, fingerprints, other formats, and
compatibility, where everything that breaks is named by its rule and its path. Pure: no topic, no
HTTP, no clock. It never reads or writes data by a schema.

Reading order: model (what is registered), parsed (what each language answers), levels (the seven
levels of compatibility), avro, json_schema, protobuf (the languages), kinds (the table of them).
"""
