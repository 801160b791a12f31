"""Avro's logical types: dates, times, decimals and UUIDs over the types that carry them.

A logical type that does not fit the type below it means nothing, as the specification has it. Times
of a zone are aware of UTC; those without one (`local-timestamp-…`) are naive.
"""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from moldau.schemas.avro.types import AvroType
from moldau.schemas.data_errors import DataError

__all__ = ["Logical", "logical_of"]

UTC: Final = datetime.timezone.utc  # noqa: UP017  # the module is imported for its types
EPOCH: Final = datetime.datetime(1970, 1, 1, tzinfo=UTC)
LOCAL_EPOCH: Final = datetime.datetime(1970, 1, 1)
FIRST_DAY: Final = datetime.date(1970, 1, 1).toordinal()
MILLI: Final = datetime.timedelta(milliseconds=1)
MICRO: Final = datetime.timedelta(microseconds=1)
PRECISION: Final = decimal.Context(prec=1000)


class Logical(NamedTuple):
    """Converts between a value of Python and that of the type below, both ways."""

    kind: type
    lower: Callable[[Any], Any]
    """What is no value of `kind` stays as it is."""
    raised: Callable[[Any], Any]


def logical_of(kind: AvroType) -> Logical | None:
    name = kind.properties.get("logicalType")
    if not isinstance(name, str):
        return None
    found = SIMPLE.get((kind.kind, name))
    if found is not None:
        return found
    if name == "decimal" and kind.kind in ("bytes", "fixed"):
        return _decimal(kind)
    if name == "uuid" and kind.kind == "fixed" and kind.size == 16:
        return UUID_BYTES
    return None


def _instant(unit: datetime.timedelta) -> Logical:
    def lower(value: Any) -> Any:
        if not isinstance(value, datetime.datetime):
            return value
        if value.tzinfo is None:
            raise DataError(f"{value!r} has no time zone")
        return (value - EPOCH) // unit

    return Logical(datetime.datetime, lower, lambda number: _checked(EPOCH, number, unit))


def _local_instant(unit: datetime.timedelta) -> Logical:
    def lower(value: Any) -> Any:
        if not isinstance(value, datetime.datetime):
            return value
        return (value.replace(tzinfo=None) - LOCAL_EPOCH) // unit

    return Logical(datetime.datetime, lower, lambda number: _checked(LOCAL_EPOCH, number, unit))


def _checked(epoch: datetime.datetime, number: int, unit: datetime.timedelta) -> datetime.datetime:
    try:
        return epoch + number * unit
    except OverflowError:
        raise DataError(f"{number} is no time that there is") from None


def _time_of_day(unit: datetime.timedelta) -> Logical:
    def lower(value: Any) -> Any:
        if not isinstance(value, datetime.time):
            return value
        passed = datetime.timedelta(
            hours=value.hour,
            minutes=value.minute,
            seconds=value.second,
            microseconds=value.microsecond,
        )
        return passed // unit

    def raised(number: int) -> datetime.time:
        return _checked(LOCAL_EPOCH, number, unit).time()

    return Logical(datetime.time, lower, raised)


def _lower_date(value: Any) -> Any:
    return value.toordinal() - FIRST_DAY if isinstance(value, datetime.date) else value


def _raised_date(number: int) -> datetime.date:
    try:
        return datetime.date.fromordinal(number + FIRST_DAY)
    except (ValueError, OverflowError):
        raise DataError(f"{number} is no day that there is") from None


def _raised_uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise DataError(f"{text!r} is no UUID") from None


def _lower_uuid_bytes(value: Any) -> Any:
    return value.bytes if isinstance(value, uuid.UUID) else value


def _decimal(kind: AvroType) -> Logical:
    scale = kind.properties.get("scale", 0)
    if not isinstance(scale, int) or not isinstance(kind.properties.get("precision"), int):
        return PLAIN_BYTES

    def lower(value: Any) -> Any:
        if not isinstance(value, decimal.Decimal):
            return value
        scaled = value.scaleb(scale, PRECISION)
        if scaled != scaled.to_integral_value(context=PRECISION):
            raise DataError(f"{value} has more than {scale} digits behind the point")
        return _bytes_of(int(scaled), kind.size if kind.kind == "fixed" else None, value)

    def raised(data: bytes) -> decimal.Decimal:
        return decimal.Decimal(int.from_bytes(data, "big", signed=True)).scaleb(-scale, PRECISION)

    return Logical(decimal.Decimal, lower, raised)


def _bytes_of(number: int, size: int | None, value: decimal.Decimal) -> bytes:
    if size is None:
        size = ((number if number >= 0 else ~number).bit_length() + 8) // 8
    try:
        return number.to_bytes(size, "big", signed=True)
    except OverflowError:
        raise DataError(f"{value} does not fit {size} bytes") from None


PLAIN_BYTES: Final = Logical(bytes, lambda value: value, lambda data: data)
UUID_BYTES: Final = Logical(uuid.UUID, _lower_uuid_bytes, lambda data: uuid.UUID(bytes=data))
SIMPLE: Final = {
    ("int", "date"): Logical(datetime.date, _lower_date, _raised_date),
    ("int", "time-millis"): _time_of_day(MILLI),
    ("long", "time-micros"): _time_of_day(MICRO),
    ("long", "timestamp-millis"): _instant(MILLI),
    ("long", "timestamp-micros"): _instant(MICRO),
    ("long", "local-timestamp-millis"): _local_instant(MILLI),
    ("long", "local-timestamp-micros"): _local_instant(MICRO),
    ("string", "uuid"): Logical(
        uuid.UUID, lambda value: str(value) if isinstance(value, uuid.UUID) else value, _raised_uuid
    ),
}
