"""Values of an Avro schema with some of their fields changed: encrypted, or read again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.schemas.avro.fitting import branch_of
from moldau.schemas.avro.types import PRIMITIVES, AvroField, AvroType
from moldau.schemas.parsed import INLINE_TAGS, ChangeField, Field

__all__ = ["changed_avro"]

NO_TYPE: Final = ""
"""Until the value is reached."""


def changed_avro(kind: AvroType, value: Any, change: ChangeField) -> Any:
    """A copy; what is in no field of a record stays as it is. Nulls are values, too."""
    return _changed(kind, value, change, None)


def _changed(kind: AvroType, value: Any, change: ChangeField, place: Field | None) -> Any:
    match kind.kind:
        case "union":
            index = branch_of(kind.branches, value)
            return value if index is None else _changed(kind.branches[index], value, change, place)
        case "array" if isinstance(value, list | tuple):
            return [_changed(kind.items, one, change, place) for one in value]
        case "map" if isinstance(value, Mapping):
            return {key: _changed(kind.items, one, change, place) for key, one in value.items()}
        case "record" | "error" if isinstance(value, Mapping):
            return dict(value) | {
                field.name: _changed(
                    field.type, value[field.name], change, _place(kind, field, value)
                )
                for field in kind.fields
                if field.name in value
            }
        case leaf if leaf in PRIMITIVES and place is not None:
            return change(place._replace(kind=leaf.upper()), value)
        case _:
            return value


def _place(record: AvroType, field: AvroField, holder: Any) -> Field:
    tags = field.properties.get(INLINE_TAGS)
    found = frozenset(str(tag) for tag in tags) if isinstance(tags, list) else frozenset()
    return Field(f"{record.full_name}.{field.name}", found, NO_TYPE, holder)
