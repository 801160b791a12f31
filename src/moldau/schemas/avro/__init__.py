"""Avro: its types, their text, and who can read whom.

Reading order: types (the model), names, parsing (JSON to types), defaults (whether a default is a
value of its type), writing (types to text, as Java writes it), reading_rules (compatibility),
logical (dates, decimals and their kin), default_values, fitting (branches of unions), encoding
(values to bytes), decoding (and back), resolving (by another schema than the writer's),
json_form (values as JSON), language (all of it behind the table).
"""
