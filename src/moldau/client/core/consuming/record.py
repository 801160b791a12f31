"""A record as a consumer returns it.

It has fields as a named tuple has, and may be unpacked, compared and replaced as one; but making
one costs half as much, and consumers make millions.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Final

from moldau.platform.compiler_hints import mypyc_attr

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["ConsumerRecord", "RecordHeaders"]

RecordHeaders = tuple[tuple[str, bytes | None], ...]
NO_HEADERS: Final[RecordHeaders] = ()
UNKNOWN: Final = -1


@mypyc_attr(acyclic=True)  # to look for cycles in millions of records costs more than to make them
class ConsumerRecord:
    """One record, and where it was."""

    __slots__ = (
        "delivery_count",
        "headers",
        "key",
        "leader_epoch",
        "offset",
        "partition",
        "timestamp",
        "timestamp_type",
        "topic",
        "value",
    )
    __match_args__: ClassVar[tuple[str, ...]] = (
        "topic",
        "partition",
        "offset",
        "timestamp",
        "key",
        "value",
        "headers",
        "timestamp_type",
        "leader_epoch",
        "delivery_count",
    )

    def __init__(
        self,
        topic: str,
        partition: i64,
        offset: i64,
        timestamp: i64,
        key: Any,  # noqa: ANN401
        value: Any,  # noqa: ANN401
        headers: RecordHeaders = NO_HEADERS,
        timestamp_type: i64 = 0,
        leader_epoch: i64 = UNKNOWN,
        delivery_count: int | None = None,
    ) -> None:
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.timestamp = timestamp
        """Milliseconds since 1970."""
        self.key = key
        """Bytes, or what the deserializer made of them."""
        self.value = value
        self.headers = headers
        self.timestamp_type = timestamp_type
        """0 set by the producer, 1 by the broker."""
        self.leader_epoch = leader_epoch
        self.delivery_count = delivery_count
        """How often a share group has delivered it; None outside of one."""

    def fields(self) -> tuple[Any, ...]:
        """Its fields, in the order of its arguments."""
        return (
            self.topic,
            self.partition,
            self.offset,
            self.timestamp,
            self.key,
            self.value,
            self.headers,
            self.timestamp_type,
            self.leader_epoch,
            self.delivery_count,
        )

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self.__match_args__, self.fields(), strict=True))

    def _replace(self, **changed: Any) -> ConsumerRecord:  # noqa: ANN401
        """The same record with other fields."""
        return ConsumerRecord(**{**self._asdict(), **changed})

    def read_as(self, key: Any, value: Any) -> ConsumerRecord:  # noqa: ANN401
        """The same record with what deserializers have made of its parts."""
        return ConsumerRecord(
            self.topic,
            self.partition,
            self.offset,
            self.timestamp,
            key,
            value,
            self.headers,
            self.timestamp_type,
            self.leader_epoch,
            self.delivery_count,
        )

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fields())

    def __len__(self) -> int:
        return len(self.__match_args__)

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401
        return self.fields()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConsumerRecord) and self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash(self.fields())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={part!r}" for name, part in self._asdict().items())
        return f"ConsumerRecord({shown})"

    def __reduce__(self) -> tuple[Callable[..., ConsumerRecord], tuple[Any, ...]]:
        return ConsumerRecord, self.fields()
