"""What a consumer is made with, and what it subscribes to."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from moldau.client.arguments.places import named_topics, pattern_of
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.failure import Failure
from moldau.client.errors import (
    ClientError,
    DeserializationError,
    InvalidArgumentError,
    SerializationError,
)
from moldau.client.interceptors import (
    ConsumerInterceptor,
    ConsumerInterceptors,
    interceptors_of,
)
from moldau.client.serializers import AWAIT_AFTER, Deserializer, deserializer_of, taken_from
from moldau.client.settings.client import Servers, settings_of
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition

if TYPE_CHECKING:
    from moldau.client.arrow import ChunkDecoder

__all__ = [
    "ARROW_COLUMNS",
    "DESERIALIZERS",
    "ConsumerArguments",
    "Readable",
    "Subscription",
    "count_of",
    "ensure_on_commit",
    "readable",
    "subscription_of",
]

ARROW_COLUMNS = ("key", "value", "topic", "partition", "offset", "timestamp", "headers")
DESERIALIZERS = ("key_deserializer", "value_deserializer")
LEGAL_TOPIC = re.compile(r"(?!\.{1,2}$)[a-zA-Z0-9._-]{1,249}")
EXTRA = "moldau.protocol.records.arrow"
"""Its import fails with what to install where pyarrow is missing."""
DECODER = "moldau.client.arrow"


class Subscription(NamedTuple):
    """The arguments of `subscribe`, of which one is set."""

    topics: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    server_pattern: str | None = None


class ConsumerArguments:
    """The arguments of a consumer, checked: its settings, deserializers and interceptors."""

    def __init__(self, servers: Servers | None, given: Mapping[str, object]) -> None:
        rest: dict[str, Any] = dict(given)
        servers, (key, value) = taken_from(servers, rest, DESERIALIZERS)
        self._key, self._value = deserializer_of(key), deserializer_of(value)
        chain = interceptors_of(rest.pop("interceptor_classes", None), ConsumerInterceptor)
        self.settings = settings_of(ConsumerSettings, servers, rest)
        chain = chain or interceptors_of(self.settings.interceptor_classes, ConsumerInterceptor)
        self.interceptors = ConsumerInterceptors(chain) if chain else None

    @property
    def deserializes(self) -> bool:
        """Whether what is returned are other values than the bytes that came."""
        return self._key is not None or self._value is not None

    def read(self, records: list[ConsumerRecord]) -> Readable:
        """With keys and values as the deserializers make them, and as interceptors change them."""
        found = readable(records, self._key, self._value) if self.deserializes else None
        if found is None:
            found = Readable(records)
        if self.interceptors is None:
            return found
        return Readable(self.interceptors.on_consume(found.records), found.offset, found.error)

    def decoder(self) -> ChunkDecoder:
        """What makes Arrow of chunks; `MissingExtraError` without pyarrow."""
        import_module(EXTRA)
        check = self.settings.check_crcs
        kind = import_module(DECODER).ChunkDecoder
        made: ChunkDecoder = kind(ARROW_COLUMNS, check_checksums=check)
        return made


class Readable(NamedTuple):
    """Records as they are returned, up to one that its deserializer cannot read."""

    records: list[ConsumerRecord]
    offset: int = -1
    """Of that one."""
    error: ClientError | None = None

    @property
    def unreadable(self) -> int | None:
        """The offset of that one, if there is one."""
        return None if self.error is None else self.offset


def readable(
    records: Sequence[ConsumerRecord],
    key_of: Deserializer | None,
    value_of: Deserializer | None,
    remedy: str | None = None,
) -> Readable:
    """With keys and values as these make them; an error has `remedy` in place of seeking."""
    found: list[ConsumerRecord] = []
    with Failure() as failure:
        if key_of is None and value_of is not None and not hasattr(value_of, "deserialize"):
            _read_values(records, value_of, found)
        else:
            _read_both(records, key_of, value_of, found)
    if failure.error is None:
        awaits = _is_left_to_await(found, key_of, value_of)
        return _none_awaited(found) if awaits else Readable(found)
    spoiled = records[len(found)]
    return Readable(found, spoiled.offset, _explained(spoiled, failure.error, remedy))


# hot: what most consumers pay for each record.
def _read_values(
    records: Sequence[ConsumerRecord], of: Deserializer, found: list[ConsumerRecord]
) -> None:
    for record in records:
        data = record.value
        found.append(record.read_as(record.key, None if data is None else of(record.topic, data)))


def _read_both(
    records: Sequence[ConsumerRecord],
    key_of: Deserializer | None,
    value_of: Deserializer | None,
    found: list[ConsumerRecord],
) -> None:
    key, value = _reader_of(key_of), _reader_of(value_of)
    found.extend(  # which keeps those before a failure
        record.read_as(key(record, record.key), value(record, record.value)) for record in records
    )


def _reader_of(of: Deserializer | None) -> Callable[[ConsumerRecord, Any], Any]:
    """Those with a method `deserialize` see headers too: their schema may be named there.

    Those that take keys, for dead letters, see the bytes of the record's.
    """
    if of is None:
        return lambda _, data: data
    whole = getattr(of, "deserialize", None)
    if whole is None:
        return lambda record, data: None if data is None else of(record.topic, data)
    if getattr(of, "takes_key", False):
        return lambda record, data: (
            None if data is None else whole(record.topic, data, record.headers, key=record.key)
        )
    return lambda record, data: None if data is None else whole(record.topic, data, record.headers)


def _is_left_to_await(
    found: list[ConsumerRecord], key_of: Deserializer | None, value_of: Deserializer | None
) -> bool:
    """Whether a function that is no coroutine function has returned coroutines all the same.

    Only the first key and the first value are looked at, so that each record costs nothing.
    """
    keys = () if key_of is None else (one.key for one in found if one.key is not None)
    values = () if value_of is None else (one.value for one in found if one.value is not None)
    return any(isinstance(next(iter(parts), None), Awaitable) for parts in (keys, values))


def _none_awaited(found: list[ConsumerRecord]) -> Readable:
    """None of them is returned: a program would take the coroutines for values."""
    for part in (part for record in found for part in (record.key, record.value)):
        if isinstance(part, Coroutine):
            part.close()
    reason = f"a deserializer returns coroutines, which nothing awaits here: {AWAIT_AFTER}"
    return Readable([], found[0].offset, InvalidArgumentError(reason))


def _explained(record: ConsumerRecord, error: Exception, remedy: str | None) -> ClientError:
    """A registry that does not answer is no fault of the record."""
    if isinstance(error, ClientError) and not isinstance(error, SerializationError):
        return error
    part = TopicPartition(record.topic, record.partition)
    explained = DeserializationError(part, record.offset, error, remedy)
    explained.__cause__ = error
    return explained


def count_of(count: object) -> int:
    """How many records are wanted at most."""
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise InvalidArgumentError(f"records are consumed one at a time or more, and not {count!r}")
    return count


def ensure_on_commit(on_commit: object) -> None:
    if on_commit is not None and not callable(on_commit):
        raise InvalidArgumentError(
            f"on_commit is a function of offsets and an error, and not {on_commit!r}"
        )


def subscription_of(
    topics: str | Iterable[str] | re.Pattern[str] | None, server_pattern: str | None
) -> Subscription:
    """Names, or one pattern: that the client looks up, or the server."""
    if server_pattern is not None:
        if not isinstance(server_pattern, str):
            raise InvalidArgumentError(
                f"server_pattern is a regular expression as text, and not {server_pattern!r}"
            )
        return Subscription(server_pattern=server_pattern)
    if isinstance(topics, re.Pattern):
        return Subscription(pattern=pattern_of(topics))
    if topics is None:
        raise InvalidArgumentError("subscribe takes topics, a pattern, or server_pattern=")
    return Subscription(topics=tuple(_legal(name) for name in named_topics(topics)))


def _legal(name: str) -> str:
    """Other clients take a name that begins with ^ for a pattern."""
    if not LEGAL_TOPIC.fullmatch(name):
        raise InvalidArgumentError(
            f"no topic can have the name {name!r}: letters, digits, dots, _ and - make one, 249 at "
            "most; for a pattern give re.compile()"
        )
    return name
