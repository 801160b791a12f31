"""Avro: its types, their text, and who can read whom.

Reading order: types (the model), names, parsing (JSON to types), defaults (whether a default is a
value of its type), writing (types to text, as Java writes it), reading_rules (compatibility),
language (all of it behind the table).
"""
