"""What a producer is made with: settings, and functions where settings would be names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from moldau.client.core.group_member import Membership
from moldau.client.core.producing.batch import ProducerBatch, RecordMetadata
from moldau.client.core.producing.partitioners import Partitioner
from moldau.client.deliveries import Deliveries
from moldau.client.errors import ClientError, InvalidArgumentError
from moldau.client.header_framing import HeaderFraming
from moldau.client.interceptors import (
    ProducerInterceptor,
    ProducerInterceptors,
    interceptors_of,
)
from moldau.client.serializers import serializer_of, taken_from
from moldau.client.settings.client import Servers, settings_of
from moldau.client.settings.producer import ProducerSettings
from moldau.platform.ports.clock import Clock

if TYPE_CHECKING:
    from moldau.client.arrow_sending import ArrowSender

__all__ = [
    "ArrowStream",
    "OnDelivery",
    "ProducerArguments",
    "arrived",
    "arrow_sender",
    "membership_of",
]

EXTRA = "moldau.protocol.records.arrow"
"""Its import fails with what to install where pyarrow is missing."""
SERIALIZERS = ("key_serializer", "value_serializer")
ARROW_SENDER = "moldau.client.arrow_sending"
"""Loaded with the first table: everything else works without pyarrow."""

OnDelivery: TypeAlias = Callable[[RecordMetadata | None, ClientError | None], object]


class ArrowStream(Protocol):
    """A table of any library that hands it over as Arrow: polars, pandas, DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class ProducerArguments:
    """The arguments of a producer, checked: its settings, serializers and interceptors."""

    def __init__(self, servers: Servers | None, given: Mapping[str, object]) -> None:
        rest: dict[str, Any] = dict(given)
        servers, (key, value) = taken_from(servers, rest, SERIALIZERS)
        self._key_serializer, self._value_serializer = serializer_of(key), serializer_of(value)
        self.partitioner: Partitioner | None = None
        if callable(rest.get("partitioner")):
            self.partitioner = rest.pop("partitioner")
        chain = interceptors_of(rest.pop("interceptor_classes", None), ProducerInterceptor)
        self.settings = settings_of(ProducerSettings, servers, rest)
        chain = chain or interceptors_of(self.settings.interceptor_classes, ProducerInterceptor)
        framing = HeaderFraming.of(self._key_serializer, self._value_serializer)
        if framing is not None:
            if framing.takes(self._key_serializer):
                self._key_serializer = None
            if framing.takes(self._value_serializer):
                self._value_serializer = None
        self.interceptors = None
        if chain or framing is not None:
            self.interceptors = ProducerInterceptors(chain, framing)

    def deliveries(self, clock: Clock) -> Deliveries:
        """What makes records of what is sent."""
        return Deliveries(clock, self._key_serializer, self._value_serializer)


def arrow_sender() -> type[ArrowSender]:
    """What packs tables; `MissingExtraError` without pyarrow."""
    import_module(EXTRA)
    kind: type[ArrowSender] = import_module(ARROW_SENDER).ArrowSender
    return kind


def arrived(batches: Iterable[ProducerBatch]) -> int:
    """How many records have arrived; the error of the first batch that has not is raised."""
    count = 0
    for batch in batches:
        if batch.parts is not None:
            count += arrived(batch.parts)
            continue
        assert batch.outcome is not None, "it is still on its way"
        if batch.outcome.error is not None:
            raise batch.outcome.error
        count += batch.count
    return count


def membership_of(group: object) -> Membership:
    """The membership of a group's name, or of a consumer that is a member of one."""
    if isinstance(group, str) and group:
        return Membership(group)
    member = getattr(group, "membership", None)
    if callable(member):
        member = member()
    if not isinstance(member, Membership):
        raise InvalidArgumentError(
            f"offsets belong to the name of a group or to a consumer in one, and not to {group!r}"
        )
    return member
