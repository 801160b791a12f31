"""Values of our languages as CEL has them, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from celpy import celtypes

__all__ = ["from_cel", "moment_to_cel", "to_cel"]

EPOCH: Final = date(1970, 1, 1)
EPOCH_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)


def to_cel(value: Any) -> Any:
    if hasattr(value, "DESCRIPTOR"):
        return _message_to_cel(value)
    if isinstance(value, Mapping):
        pairs = [(celtypes.StringType(name), to_cel(one)) for name, one in value.items()]
        return celtypes.MapType(pairs)
    if isinstance(value, list | tuple):
        return celtypes.ListType([to_cel(one) for one in value])
    if isinstance(value, UUID):
        return celtypes.StringType(str(value))
    if isinstance(value, date) and not isinstance(value, datetime):
        return celtypes.IntType((value - EPOCH).days)
    for kind, made in TYPES:
        if isinstance(value, kind):
            return made(value)
    return value


TYPES: Final[tuple[tuple[type, Callable[[Any], Any]], ...]] = (
    (str, celtypes.StringType),
    (bytes, celtypes.BytesType),
    (bool, celtypes.BoolType),
    (int, celtypes.IntType),
    (float, celtypes.DoubleType),
    (datetime, celtypes.TimestampType),
    (timedelta, celtypes.DurationType),
)
"""In this order: a bool is an int."""


def moment_to_cel(milliseconds: int) -> Any:
    return celtypes.TimestampType(EPOCH_TIME + timedelta(milliseconds=milliseconds))


def _message_to_cel(message: Any) -> Any:
    found = []
    for field in message.DESCRIPTOR.fields:
        if field.has_presence and not message.HasField(field.name):
            continue
        value = getattr(message, field.name)
        if field.is_repeated:
            value = dict(value) if hasattr(value, "items") else list(value)
        found.append((celtypes.StringType(field.name), to_cel(value)))
    return celtypes.MapType(found)


def from_cel(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {from_cel(name): from_cel(one) for name, one in value.items()}
    if isinstance(value, list):
        return [from_cel(one) for one in value]
    for kind, made in PLAIN:
        if isinstance(value, kind):
            return made(value)
    return value


PLAIN: Final[tuple[tuple[type, Callable[[Any], Any]], ...]] = (
    (celtypes.BoolType, bool),
    (celtypes.StringType, str),
    (celtypes.BytesType, bytes),
    (celtypes.IntType, int),
    (celtypes.UintType, int),
    (celtypes.DoubleType, float),
)
