"""JSON Schema: its text, its references, and who accepts what.

No address in a schema is ever asked: what it refers to is in it, or among its references. Its
regular expressions are run where data is validated, and nowhere else.

Reading order: pointers (what `$ref` means), bounds (keywords that are numbers), accepting (who
accepts what another one accepts), properties (the same, of objects),
assertions (keywords that look at one value), validating (whether a value is accepted), data,
language.
"""
