"""Topics, partitions, patterns and times, in every form in which programs write them.

A partition is a `TopicPartition`, a pair such as ("orders", 3), or any object with a `topic` and a
`partition`, as other clients have. The name of a topic stands for all its partitions. What cannot
be meant is refused by `InvalidArgumentError`, before a broker is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from moldau.client.core.committed_offset import NO_LEADER_EPOCH, CommittedOffset, epoch_or_none
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import InvalidArgumentError
from moldau.client.topic_partition import TopicPartition
from moldau.config.refusals import InvalidSettingError

__all__ = [
    "AnyPartition",
    "AnyPartitions",
    "AnyTime",
    "HasTimestamp",
    "OffsetGiven",
    "OffsetsGiven",
    "StartOffsetsGiven",
    "TimesGiven",
    "columns_of",
    "commit_of",
    "committed_offset_of",
    "committed_offsets_of",
    "isolation_of",
    "keyed_by_partition",
    "listed_partitions",
    "named_partition",
    "named_partitions",
    "named_topics",
    "no_topic",
    "offset_of",
    "offsets_of",
    "pattern_of",
    "seconds_of",
    "time_ms_of",
    "times_of",
]

Value = TypeVar("Value")

MS_PER_SECOND = 1000
US_PER_MS = 1000
EPOCH_MAX = 0x7FFFFFFF
OFFSET_MAX = 0x7FFFFFFFFFFFFFFF
PARTITION_MAX = 0x7FFFFFFF


@runtime_checkable
class HasTimestamp(Protocol):
    """A datetime, of Python or of pandas."""

    @property
    def tzinfo(self) -> object: ...

    def timestamp(self) -> float: ...


AnyPartition: TypeAlias = TopicPartition | tuple[str, int]
AnyPartitions: TypeAlias = AnyPartition | str | Iterable[AnyPartition | str]
"""Partitions, topics for all of theirs, or a single one of either."""
AnyTime: TypeAlias = int | HasTimestamp
"""Milliseconds since 1970, or a datetime with a time zone."""
OffsetGiven: TypeAlias = int | CommittedOffset
"""The next offset to read; or with the leader epoch of the record before it, and a note."""
OffsetsGiven: TypeAlias = (
    Mapping[TopicPartition, int]
    | Mapping[TopicPartition, CommittedOffset]
    | Mapping[TopicPartition, OffsetGiven]
    | Mapping[tuple[str, int], int]
    | Mapping[tuple[str, int], CommittedOffset]
    | Mapping[tuple[str, int], OffsetGiven]
)
StartOffsetsGiven: TypeAlias = Mapping[TopicPartition, int] | Mapping[tuple[str, int], int]
TimesGiven: TypeAlias = (
    Mapping[TopicPartition, AnyTime] | Mapping[tuple[str, int], AnyTime] | Mapping[str, AnyTime]
)


def seconds_of(timeout: Any) -> float:  # noqa: ANN401
    """How long a call waits."""
    seconds = None if isinstance(timeout, bool | type) else getattr(timeout, "__float__", None)
    if seconds is None or not seconds() >= 0:
        reason = f"a timeout is a number of seconds from 0 on, and not {timeout!r}"
        raise InvalidArgumentError(reason)
    return float(timeout)


def named_topics(topics: str | Iterable[str]) -> list[str]:
    """Each once."""
    if isinstance(topics, str) or getattr(topics, "name", None) is not None:
        names: list[Any] = [topics]
    else:
        names = _listed(topics, "names of topics")
    for name in names:
        if not isinstance(name, str) or not name or not name.isascii():
            raise no_topic(name)
    return list(dict.fromkeys(names))


def no_topic(given: object) -> InvalidArgumentError:
    """A `Topic` has a name, and is none."""
    name = getattr(given, "name", None)
    remedy = f": give its name, {name!r}" if isinstance(name, str) else ""
    return InvalidArgumentError(f"the name of a topic is ASCII text, and not {given!a}{remedy}")


def named_partitions(parts: AnyPartitions) -> list[TopicPartition | str]:
    """Partitions, and names of topics of which all are meant."""
    if isinstance(parts, str):
        return [*named_topics(parts)]
    one = _partition(parts)
    if one is not None:
        return [one]
    found = _listed(parts, "partitions or names of topics")
    return [part if isinstance(part, str) else named_partition(part) for part in found]


def listed_partitions(parts: AnyPartition | Iterable[AnyPartition]) -> list[TopicPartition]:
    """One or several, without names that stand for all."""
    if isinstance(parts, str | TopicPartition) or _partition(parts) is not None:
        return [named_partition(parts)]
    return [named_partition(part) for part in _listed(parts, "partitions")]


def named_partition(part: object) -> TopicPartition:
    """A single one."""
    found = _partition(part)
    if found is None:
        raise InvalidArgumentError(
            f"a partition is a TopicPartition, such as TopicPartition('orders', 0), and not "
            f"{part!r}"
        )
    return found


def committed_offsets_of(
    offsets: OffsetsGiven, metadata: str = ""
) -> dict[TopicPartition, CommittedOffset]:
    """By partition; `metadata` goes with those that have none."""
    return {
        named_partition(part): committed_offset_of(given, metadata)
        for part, given in _pairs(offsets)
    }


def committed_offset_of(value: object, metadata: str = "") -> CommittedOffset:
    """A number has no leader epoch, as with Java's `new OffsetAndMetadata(offset)`."""
    if not isinstance(value, CommittedOffset):
        return CommittedOffset(offset_of(value), None, _metadata_of(metadata))
    epoch = None if value.leader_epoch is None else _epoch_of(value.leader_epoch)
    note = _metadata_of(value.metadata) or _metadata_of(metadata)
    return CommittedOffset(offset_of(value.offset), epoch, note)


def commit_of(
    offsets: OffsetsGiven | None, metadata: str
) -> dict[TopicPartition, CommittedOffset] | None:
    """What is committed; None for all that was returned."""
    note = _metadata_of(metadata)
    return None if offsets is None else committed_offsets_of(offsets, note)


def _epoch_of(value: object) -> int | None:
    """None for what records have that were read without one."""
    if not hasattr(value, "__index__") or isinstance(value, bool | type):
        epoch = NO_LEADER_EPOCH - 1
    else:
        epoch = int(value.__index__())
    if not NO_LEADER_EPOCH <= epoch <= EPOCH_MAX:
        raise InvalidArgumentError(
            f"a leader epoch is a number of 31 bits from 0 on, or None, and not {value!r}"
        )
    return epoch_or_none(epoch)


def _metadata_of(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidArgumentError(f"the metadata of an offset is text, and not {value!r}")
    return value


def offsets_of(offsets: StartOffsetsGiven) -> dict[TopicPartition, int]:
    """By partition."""
    return {named_partition(part): offset_of(given) for part, given in _pairs(offsets)}


def keyed_by_partition(values: Mapping[Any, Value]) -> dict[TopicPartition, Value]:
    """By partition, whatever it is that each of them has."""
    return {named_partition(part): value for part, value in _pairs(values)}


def offset_of(value: Any) -> int:  # noqa: ANN401
    is_number = hasattr(value, "__index__") and not isinstance(value, bool | type)
    if not is_number or not 0 <= value.__index__() <= OFFSET_MAX:
        raise InvalidArgumentError(f"an offset is a number from 0 on, and not {value!r}")
    return int(value.__index__())


def time_ms_of(time: object) -> int:
    """Milliseconds since 1970; between two of them it is the later one."""
    if hasattr(time, "__index__") and not isinstance(time, bool | type):
        return int(time.__index__())
    if not isinstance(time, HasTimestamp) or isinstance(time, type):
        raise InvalidArgumentError(
            f"a time is a datetime, or milliseconds since 1970, and not {time!r}"
        )
    if time.tzinfo is None:
        raise InvalidArgumentError(
            f"{time!r} has no time zone: add one, such as datetime(2026, 1, 31, tzinfo=UTC)"
        )
    microseconds = round(time.timestamp() * MS_PER_SECOND * US_PER_MS)
    return -(-microseconds // US_PER_MS)


def times_of(times: TimesGiven) -> dict[TopicPartition | str, int]:
    """By partition, or by the name of a topic for all of its."""
    return {
        part if isinstance(part, str) else named_partition(part): time_ms_of(time)
        for part, time in _pairs(times)
    }


def isolation_of(value: Isolation | str) -> Isolation:
    name = value.name if isinstance(value, Isolation) else value
    if not isinstance(name, str) or name.upper() not in Isolation.__members__:
        reason = "it is read_committed or read_uncommitted"
        raise InvalidSettingError("isolation.level", repr(value), reason)
    return Isolation[name.upper()]


def pattern_of(pattern: re.Pattern[str] | str) -> re.Pattern[str]:
    """A regular expression for names of topics."""
    try:
        compiled = re.compile(pattern)
        compiled.fullmatch("")
        return compiled
    except (re.error, TypeError) as error:
        raise InvalidArgumentError(
            f"{pattern!r} is no regular expression for names of topics: {error}"
        ) from None


def columns_of(columns: str | Sequence[str]) -> tuple[str, ...]:
    return (columns,) if isinstance(columns, str) else tuple(columns)


def _partition(value: object) -> TopicPartition | None:
    """None for what is none."""
    if isinstance(value, tuple) and len(value) == len(TopicPartition._fields):
        topic, number = value
    else:
        topic, number = getattr(value, "topic", None), getattr(value, "partition", None)
    if not isinstance(topic, str) or isinstance(number, bool | type):
        return None
    if not hasattr(number, "__index__") or not 0 <= number.__index__() <= PARTITION_MAX:
        return None
    return TopicPartition(topic, int(number.__index__()))


def _listed(values: object, what: str) -> list[Any]:
    if isinstance(values, bytes) or not isinstance(values, Iterable):
        raise InvalidArgumentError(f"these are no {what}: {values!r}")
    return list(values)


def _pairs(mapping: object) -> Iterable[tuple[Any, Any]]:
    if not isinstance(mapping, Mapping):
        remedy = ": of a record, {part: CommittedOffset.after(record)}"
        raise InvalidArgumentError(
            f"it takes a mapping by partition, and not {mapping!r}"
            f"{remedy if hasattr(mapping, 'leader_epoch') else ''}"
        )
    return mapping.items()
