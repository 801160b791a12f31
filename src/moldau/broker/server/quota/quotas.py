"""Quotas: how much a client may do in a second (KIP-13, KIP-124, KIP-599, KIP-612).

    producer_byte_rate, consumer_byte_rate     bytes of Produce requests and Fetch answers
    request_percentage                         time of one processor, in per cent
    controller_mutation_rate                   partitions created or deleted, out of a bucket
    connection_creation_rate                   connections from one address

The rates of new connections on each listener, and of all listeners but the one that brokers use
among themselves, are settings of the node: `max.connection.creation.rate`.

A limit belongs to a user, a client id, both, or the default of either; the most specific one that
is set holds. Clients that share a limit share its measure: a limit of a user counts for all its
clients together, one of the default client for each client by itself.

A client that is too fast gets its answer at once, with its throttle time, and is not read from
for as long. A consumer that is too fast gets an answer without records; none is given more at a
time than its quota allows for all windows, or it would wait for ever. Nothing is measured as long
as no quota is set, and some requests are never charged for their time (`exemptions`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from math import inf, nan
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from moldau.broker.metadata.settings import Quotas as QuotaImage
from moldau.broker.metrics.recent import Recent
from moldau.broker.server.call import Call
from moldau.broker.server.quota.exemptions import is_exempt
from moldau.broker.server.quota.windows import SECONDS, RateWindow, TokenBucket, Windows
from moldau.errors import KafkaError
from moldau.platform.ports.clock import Clock
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Limit", "ListenerRates", "MeasuredRate", "Quotas", "limit_for"]

PRODUCER, CONSUMER = "producer_byte_rate", "consumer_byte_rate"
REQUESTS, MUTATIONS = "request_percentage", "controller_mutation_rate"
EXEMPT = "exempt"
"""No quota: what is measured beside REQUESTS of those that are not charged."""
CONNECTIONS = "connection_creation_rate"
USER, CLIENT, ADDRESS = "user", "client-id", "ip"
DEFAULT = None
MEASURES_MAX = 10_000
"""Clients can name themselves as they like: beyond this the oldest measure is dropped."""
PERCENT_PER_NS = 100 / 1_000_000_000
NS_PER_MS = 1_000_000

Kept = TypeVar("Kept")
Measure = tuple[str, str | None, str | None]
"""Key of the quota, and the user and client whose sum it is; None where it is for all."""


class ListenerRates(NamedTuple):
    """How many connections a second may be made, where that is limited."""

    of_node: float = inf
    by_listener: Mapping[str, float] = MappingProxyType({})
    protected_listener: str | None = None
    """Of the brokers among themselves: the limit of the node is not for it."""


NO_RATES = ListenerRates()


class Limit(NamedTuple):
    """What holds for one client, and with whom it shares it."""

    bound: float
    measure: Measure


def limit_for(
    by_entity: Mapping[tuple[tuple[str, str | None], ...], Mapping[str, float]],
    key: str,
    user: str,
    client: str,
) -> Limit | None:
    """The most specific limit that is set."""
    for chosen_user, chosen_client in _orders(user, client):
        entity = tuple(
            (kind, name[0])
            for kind, name in ((CLIENT, chosen_client), (USER, chosen_user))
            if name is not None
        )
        bound = by_entity.get(entity, {}).get(key)
        if bound is not None:
            measured = (user if chosen_user else None, client if chosen_client else None)
            return Limit(bound, (key, *measured))
    return None


_Named = tuple[str | None] | None
"""A name, (None,) for the default of its kind, None for not minding it."""


def _orders(user: str, client: str) -> Iterator[tuple[_Named, _Named]]:
    default: _Named = (DEFAULT,)
    for chosen_user in ((user,), default):
        yield chosen_user, (client,)
        yield chosen_user, default
        yield chosen_user, None
    yield None, (client,)
    yield None, default


class MeasuredRate(NamedTuple):
    """What a client with a quota uses."""

    key: str
    user: str | None
    client_id: str | None
    rate: float
    throttle_ms: float
    """How long it had to wait, on average of the last minute; NaN where it did nothing."""


class Quotas:
    """The measures of all clients, against the limits of the metadata."""

    def __init__(
        self,
        clock: Clock,
        image: Callable[[], QuotaImage],
        listener_rates: ListenerRates = NO_RATES,
        *,
        windows: Windows = SECONDS,
        mutation_windows: Windows = SECONDS,
        controller_listeners: Collection[str] = (),
    ) -> None:
        """Quotas of clients look back over `windows`, those of changed partitions over others."""
        self._controller_listeners = frozenset(controller_listeners)
        self._clock = clock
        self._image = image
        self.listener_rates = listener_rates
        """As the settings are now."""
        self._of_clients = windows
        self._of_mutations = mutation_windows
        self._known: QuotaImage | None = None
        self._limits: dict[Measure, Limit | None] = {}
        self._windows: dict[Measure, RateWindow] = {}
        self._buckets: dict[Measure, TokenBucket] = {}
        self._throttles: dict[Measure, Recent] = {}

    def __repr__(self) -> str:
        return f"Quotas({len(self._image().by_entity)} set, {len(self._windows)} measured)"

    @property
    def are_set(self) -> bool:
        """Whether there is anything to measure."""
        return bool(self._image().by_entity)

    def measured(self) -> list[MeasuredRate]:
        """All that is measured, for the page of metrics."""
        now_ms = self._now_ms()
        return [
            MeasuredRate(*measure, window.rate(now_ms), self._throttled_ms(measure, now_ms))
            for measure, window in self._windows.items()
        ]

    # What handlers and the dispatcher report.

    def produced(self, call: Call, size: int) -> None:
        """So many bytes of a Produce request were taken."""
        self._record(call, PRODUCER, size)

    def fetched(self, call: Call, size: int) -> bool:
        """Whether so many bytes may leave now; if not, the answer goes without them."""
        delay_ms = self._record(call, CONSUMER, size)
        if delay_ms:
            self.unfetched(call, size)
        return not delay_ms

    def unfetched(self, call: Call, size: int) -> None:
        """So many bytes of what was just counted as fetched do not leave."""
        limit = self._limit(CONSUMER, call.principal.name, call.client_id or "")
        if limit is not None and limit.measure in self._windows:
            self._windows[limit.measure].forget(size)

    def fetch_bytes_max(self, call: Call) -> float:
        """The largest answer that the consumer's quota can ever let pass."""
        limit = self._limit(CONSUMER, call.principal.name, call.client_id or "")
        windows = self._of_clients
        return inf if limit is None else limit.bound * (windows.number - 1) * windows.size_seconds

    def spent(self, call: Call, elapsed_ns: int, error: int | None = None) -> None:
        """So long a request kept the processor; it may be counted in parts.

        `error` is there where nothing but an error was the answer.
        """
        if not self.are_set:
            return
        by_controller = call.listener in self._controller_listeners
        if is_exempt(call, by_controller=by_controller, error=error):
            self._measured((EXEMPT, None, None), elapsed_ns * PERCENT_PER_NS, inf)
        else:
            self._record(call, REQUESTS, elapsed_ns * PERCENT_PER_NS)

    def mutated(self, call: Call, count: int, *, is_strict: bool) -> None:
        """So many partitions are to be changed; strict requests are refused, others wait."""
        limit = self._limit(MUTATIONS, call.principal.name, call.client_id or "")
        if limit is None:
            return
        now_ms = self._now_ms()
        bucket = self._buckets.get(limit.measure)
        if bucket is None:
            bucket = self._buckets[limit.measure] = TokenBucket(
                limit.bound, now_ms, self._of_mutations
            )
            _bound(self._buckets)
        bucket.set_rate(limit.bound, now_ms)
        owed_ms = bucket.delay_ms(now_ms)
        if is_strict and owed_ms:
            call.throttle_ms = max(call.throttle_ms, owed_ms)
            raise KafkaError(
                ErrorCode.THROTTLING_QUOTA_EXCEEDED,
                f"the quota of {limit.bound:g} changed partitions in a second is used up",
            )
        bucket.take(count, now_ms)
        if not is_strict:
            call.throttle_ms = max(call.throttle_ms, bucket.delay_ms(now_ms))

    # What delays a connection that was just accepted; `server.connections` asks.

    def address_delay_ms(self, host: str) -> int:
        by_entity = self._image().by_entity
        for name in (host, DEFAULT):
            bound = by_entity.get(((ADDRESS, name),), {}).get(CONNECTIONS)
            if bound is not None:
                return self._refusal_ms((CONNECTIONS, host, None), bound)
        return 0

    def _refusal_ms(self, measure: Measure, bound: float) -> int:
        """A connection that is refused does not count: an address may come again soon."""
        delay_ms = self._measured(measure, 1, bound)
        if delay_ms:
            self._windows[measure].forget(1)
        return min(delay_ms, self._of_clients.size_ms)

    def listener_delay_ms(self, listener: str) -> int:
        rates, delay_ms = self.listener_rates, 0
        if rates.of_node < inf and listener != rates.protected_listener:
            delay_ms = self._measured((CONNECTIONS, None, None), 1, rates.of_node)
        bound = rates.by_listener.get(listener)
        if bound is not None:
            delay_ms = max(delay_ms, self._measured((CONNECTIONS, None, listener), 1, bound))
        return delay_ms

    # Measuring.

    def _record(self, call: Call, key: str, amount: float) -> int:
        if not self.are_set:
            return 0
        limit = self._limit(key, call.principal.name, call.client_id or "")
        if limit is None:
            return 0
        delay_ms = self._measured(limit.measure, amount, limit.bound)
        if key == REQUESTS:
            delay_ms = min(delay_ms, self._of_clients.size_ms)
        self._throttle(limit.measure).record(delay_ms, self._now_ms())
        call.throttle_ms = max(call.throttle_ms, delay_ms)
        return delay_ms

    def _throttle(self, measure: Measure) -> Recent:
        found = self._throttles.get(measure)
        if found is None:
            found = self._throttles[measure] = Recent()
            _bound(self._throttles)
        return found

    def _throttled_ms(self, measure: Measure, now_ms: int) -> float:
        found = self._throttles.get(measure)
        return nan if found is None else found.average(now_ms)

    def _measured(self, measure: Measure, amount: float, bound: float) -> int:
        window = self._windows.get(measure)
        if window is None:
            window = self._windows[measure] = RateWindow(self._of_clients)
            _bound(self._windows)
        now_ms = self._now_ms()
        window.record(amount, now_ms)
        return window.delay_ms(bound, now_ms)

    def _limit(self, key: str, user: str, client: str) -> Limit | None:
        image = self._image()
        if image is not self._known:
            self._known = image
            self._limits.clear()
        name = (key, user, client)
        if name not in self._limits:
            self._limits[name] = limit_for(image.by_entity, key, user, client)
            _bound(self._limits)
        return self._limits[name]

    def _now_ms(self) -> int:
        return self._clock.monotonic_ns() // NS_PER_MS


def _bound(measures: dict[Measure, Kept]) -> None:
    if len(measures) > MEASURES_MAX:
        del measures[next(iter(measures))]
