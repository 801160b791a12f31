"""JSON Schema: its text, its references, and who accepts what.

No regular expression of a schema is ever run here, and no address of one is ever asked: what a
schema refers to is in it, or among its references.

Reading order: pointers (what `$ref` means), bounds (keywords that are numbers), accepting (who
accepts what another one accepts), properties (the same, of objects), language.
"""
