"""What sees records on their way through a client, as Java's interceptors do (KIP-42).

    class Tracing(ProducerInterceptor):
        def on_send(self, record):
            return record._replace(headers=(*record.headers, ("trace", new_trace())))

    Producer("localhost:9092", interceptor_classes=[Tracing()])

`interceptor_classes` takes objects, classes that are called without arguments, and names of such
classes, `package.module.Class`. Each gets what the one before it returned. As with Java's clients
an error of theirs is logged, and the client goes on with what the one before it returned. Tables
of Arrow are no records, and pass.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

from moldau.client.arguments.places import AnyTime
from moldau.client.arguments.records import HeadersGiven
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.failure import Logged, ensure_done
from moldau.client.core.producing.batch import OnDelivery, RecordMetadata
from moldau.client.errors import ClientError
from moldau.client.topic_partition import TopicPartition
from moldau.config.refusals import InvalidSettingError

__all__ = [
    "Acknowledging",
    "Chain",
    "ConsumerInterceptor",
    "ConsumerInterceptors",
    "Interceptor",
    "ProducerInterceptor",
    "ProducerInterceptors",
    "ProducerRecord",
    "interceptors_of",
]

Kind = TypeVar("Kind", bound="Interceptor")
Sent = TypeVar("Sent")
Returned = TypeVar("Returned")

SETTING = "interceptor.classes"


class ProducerRecord(NamedTuple):
    """What `send` was called with."""

    topic: str
    value: Any = None
    key: Any = None
    partition: int | None = None
    timestamp: AnyTime | None = None
    headers: HeadersGiven = ()


class Interceptor:
    """What interceptors of producers and consumers have in common."""

    def close(self) -> None:
        """The client is closed."""


class ProducerInterceptor(Interceptor):
    """Sees records before they are serialized, and again when it is known what came of them."""

    def on_send(self, record: ProducerRecord) -> ProducerRecord:
        """The record to send in its place, in the thread that sends it."""
        return record

    def on_acknowledgement(
        self, metadata: RecordMetadata | None, error: ClientError | None
    ) -> None:
        """It has arrived, or it has not; called in the background, before `on_delivery`."""


class ConsumerInterceptor(Interceptor):
    """Sees records before they are returned, and offsets when they have been committed."""

    def on_consume(self, records: list[ConsumerRecord]) -> list[ConsumerRecord]:
        """The records to return in their place; with fewer of them the others count as read."""
        return records

    def on_commit(self, offsets: Mapping[TopicPartition, int]) -> None:
        """The coordinator has kept them; called in the background."""


class Acknowledging:
    """Calls the interceptors, and then the record's own call-back."""

    __slots__ = ("_chain", "_on_delivery")

    def __init__(
        self, chain: tuple[ProducerInterceptor, ...], on_delivery: OnDelivery | None
    ) -> None:
        self._chain = chain
        self._on_delivery = on_delivery

    def __call__(self, metadata: RecordMetadata | None, error: ClientError | None) -> object:
        _acknowledge(self._chain, metadata, error)
        return None if self._on_delivery is None else self._on_delivery(metadata, error)


class Chain(Generic[Kind]):
    """Interceptors in their order."""

    def __init__(self, chain: Iterable[Kind]) -> None:
        self._chain = tuple(chain)

    def __bool__(self) -> bool:
        return bool(self._chain)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(type(one).__name__ for one in self._chain)}>"

    def close(self) -> None:
        for one in self._chain:
            with Logged(f"{type(one).__name__}.close"):
                _called(one.close)


class ProducerInterceptors(Chain[ProducerInterceptor]):
    """Around a producer's `send`.

    Behind all others, and no matter of theirs, is a serializer that has to see whole records: what
    it raises, `send` raises.
    """

    def __init__(
        self, chain: Iterable[ProducerInterceptor], serializer: ProducerInterceptor | None = None
    ) -> None:
        super().__init__(chain)
        self._serializer = serializer

    def send(
        self, send: Callable[..., Sent], record: ProducerRecord, on_delivery: OnDelivery | None
    ) -> Sent:
        """Send what they make of it; that it cannot be sent, they see too."""
        acknowledging = Acknowledging(self._chain, on_delivery)
        try:
            return send(**self._changed(record), on_delivery=acknowledging)
        except ClientError as error:
            self._failed(error)
            raise

    async def send_on_loop(
        self,
        send: Callable[..., Awaitable[Sent]],
        record: ProducerRecord,
        on_delivery: OnDelivery | None,
    ) -> Sent:
        """The same."""
        acknowledging = Acknowledging(self._chain, on_delivery)
        try:
            return await send(**self._changed(record), on_delivery=acknowledging)
        except ClientError as error:
            self._failed(error)
            raise

    def _changed(self, record: ProducerRecord) -> dict[str, Any]:
        for one in self._chain:
            with Logged(f"{type(one).__name__}.on_send of a record for {record.topic}"):
                record = _returned(one.on_send(record), ProducerRecord)
        if self._serializer is not None:
            record = self._serializer.on_send(record)
        return record._asdict()

    def _failed(self, error: ClientError) -> None:
        _acknowledge(self._chain, None, error)


class ConsumerInterceptors(Chain[ConsumerInterceptor]):
    """Behind a consumer's `poll` and `commit`."""

    def on_consume(self, records: list[ConsumerRecord]) -> list[ConsumerRecord]:
        for one in self._chain if records else ():
            with Logged(f"{type(one).__name__}.on_consume"):
                records = _returned(one.on_consume(records), list)
        return records

    def on_commit(self, offsets: Mapping[TopicPartition, int]) -> None:
        for one in self._chain:
            with Logged(f"{type(one).__name__}.on_commit"):
                _called(one.on_commit, offsets)


def _acknowledge(
    chain: Iterable[ProducerInterceptor],
    metadata: RecordMetadata | None,
    error: ClientError | None,
) -> None:
    """Have all of them see what came of a record."""
    for one in chain:
        with Logged(f"{type(one).__name__}.on_acknowledgement"):
            _called(one.on_acknowledgement, metadata, error)


def _called(action: Callable[..., object], *given: object) -> None:
    ensure_done(action(*given), "it")


def _returned(value: Returned, kind: type[Returned]) -> Returned:
    """What a user's function has returned, which is of this kind as far as its types are true."""
    ensure_done(value, "it")
    if not isinstance(value, kind):
        raise TypeError(f"it has to return a {kind.__name__}, and not {value!r:.100}")
    return value


def interceptors_of(given: object, kind: type[Kind]) -> list[Kind]:
    """Interceptors from objects, classes and names, one or several of them."""
    if given is None:
        return []
    if isinstance(given, str):
        given = [name.strip() for name in given.split(",") if name.strip()]
    if not isinstance(given, Iterable):
        given = [given]
    return [_interceptor(one, kind) for one in given]


def _interceptor(given: object, kind: type[Kind]) -> Kind:
    found: object = _class_of(given) if isinstance(given, str) else given
    if isinstance(found, type) and issubclass(found, kind):
        return found()
    if not isinstance(found, kind):
        raise InvalidSettingError(SETTING, repr(given), f"it is no moldau {kind.__name__}")
    return found


def _class_of(name: str) -> object:
    module, _, short = name.rpartition(".")
    try:
        return getattr(import_module(module), short)
    except (ImportError, AttributeError, ValueError):
        reason = "there is no such class of Python: give an object, or package.module.Class"
        raise InvalidSettingError(SETTING, name, reason) from None
