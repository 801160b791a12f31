"""Avro schemas drawn at random, in pairs that differ a little."""

from __future__ import annotations

import json

from hypothesis import strategies as st

PRIMITIVES = ("null", "boolean", "int", "long", "float", "double", "bytes", "string")
SYMBOLS = ("A", "B", "C")


def named(kinds, name):
    fields = st.lists(
        st.tuples(st.sampled_from("xyz"), kinds, st.booleans()),
        max_size=3,
        unique_by=lambda f: f[0],
    )
    return fields.map(lambda given: record(name, given))


def record(name, given):
    return {
        "type": "record",
        "name": name,
        "fields": [
            {"name": field, "type": ["null", "int"], "default": None}
            if has_default
            else {"name": field, "type": kind}
            for field, kind, has_default in given
        ],
    }


def enums(name):
    symbols = st.lists(st.sampled_from(SYMBOLS), min_size=1, unique=True)
    return st.tuples(symbols, st.booleans()).map(
        lambda given: {
            "type": "enum",
            "name": name,
            "symbols": given[0],
            **({"default": given[0][0]} if given[1] else {}),
        }
    )


LEAVES = st.sampled_from(PRIMITIVES)
UNIONS = st.lists(LEAVES, min_size=1, max_size=4, unique=True)
SIMPLE = LEAVES | UNIONS
INNER = (
    SIMPLE
    | LEAVES.map(lambda items: {"type": "array", "items": items})
    | LEAVES.map(lambda values: {"type": "map", "values": values})
)
SCHEMAS = (
    INNER
    | named(INNER, "R")
    | named(INNER, "Other")
    | enums("E")
    | st.integers(1, 3).map(lambda size: {"type": "fixed", "name": "F", "size": size})
    | st.tuples(named(INNER, "In"), enums("E")).map(
        lambda both: record("R", [("x", both[0], False), ("y", both[1], False)])
    )
)
TEXTS = SCHEMAS.map(json.dumps)

NUMBERS = {
    "int": st.integers(-(2**31), 2**31 - 1),
    "long": st.integers(-(2**63), 2**63 - 1),
    "float": st.floats(width=32, allow_nan=False),
    "double": st.floats(allow_nan=False),
    "null": st.none(),
    "boolean": st.booleans(),
    "bytes": st.binary(max_size=5),
    "string": st.text(max_size=5),
}

EXACT = {
    **dict.fromkeys(("int", "long"), st.integers(-1000, 1000)),
    **dict.fromkeys(("float", "double"), st.floats(width=16, allow_nan=False)),
}
"""In unions: a number may be written as any branch that takes it, and is the same in each."""


def values_of(schema):
    """Values that the schema has."""
    if isinstance(schema, list):
        return st.one_of(*(EXACT[one] if one in EXACT else values_of(one) for one in schema))
    if isinstance(schema, str):
        return NUMBERS[schema]
    match schema["type"]:
        case "array":
            return st.lists(values_of(schema["items"]), max_size=3)
        case "map":
            return st.dictionaries(st.text(max_size=3), values_of(schema["values"]), max_size=3)
        case "enum":
            return st.sampled_from(schema["symbols"])
        case "fixed":
            return st.binary(min_size=schema["size"], max_size=schema["size"])
        case _:
            return st.fixed_dictionaries(
                {field["name"]: values_of(field["type"]) for field in schema["fields"]}
            )


WITH_VALUES = SCHEMAS.flatmap(lambda schema: st.tuples(st.just(schema), values_of(schema)))
