"""All connections that others have opened to this node: accepted, kept, closed.

Listeners are opened here before the node can serve, so that its ports are known; a connection that
comes so early is held back. What is accepted is decided by `network.admission`, and by the rates
that quotas set: too many from one address in a second, and they are closed after a pause; too many
on a listener, and they are read after a pause. Kafka does the same by holding up its acceptor,
which a shared loop cannot do.

A sweep looks after the open ones. A connection that has not logged in, where that is required,
or has not ended its handshake of TLS, is closed after `LOGIN_MS_MAX`. A connection that has been
silent for `connections.max.idle.ms` is closed, unless a request of it is in work; so is one whose
peer has taken nothing of its answer for as long. When memory for unfinished frames is short, one
that has not gone on with its frame for a while is closed, too.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Protocol, cast

from moldau.network.admission import Admission, Limits, Verdict
from moldau.network.budget import FrameBudget
from moldau.network.connection import Connection, FrameHandler
from moldau.network.principal import ANONYMOUS
from moldau.network.receiving import Receiving
from moldau.platform.ports.network import Address, Link, Listener, Network, TakeOver
from moldau.platform.ports.tasks import Timer
from moldau.platform.quick_dataclass import dataclass

if TYPE_CHECKING:
    from moldau.platform.ports.tls import SecureLink

__all__ = ["Connections", "NewcomerQuotas"]

log = logging.getLogger(__name__)

SWEEP_MS = 5_000
"""Between two looks at all connections: idle times are minutes, and a look costs little."""
STALL_MS = 10_000
"""Without a byte of an unfinished frame, while others wait for the room that it takes."""
LOGIN_MS_MAX = 30_000
"""For a login, and a handshake of TLS, from the connection's beginning on: it takes a few messages
to and fro. What only holds a place has to come again."""
NS_PER_MS = 1_000_000
IDLE_MS_MAX = 600_000


class NewcomerQuotas(Protocol):
    """What limits the rate at which connections are made."""

    def address_delay_ms(self, host: str) -> int:
        """More than 0: one too many from there; close it after this time."""
        ...

    def listener_delay_ms(self, listener: str) -> int:
        """More than 0: one too many here; read from it after this time."""
        ...


@dataclass(slots=True)
class _NoRates:
    """No limit on the rate."""

    def address_delay_ms(self, host: str) -> int:
        return 0

    def listener_delay_ms(self, listener: str) -> int:
        return 0


class Connections:
    """Listeners, and the connections they accepted."""

    def __init__(
        self,
        network: Network,
        receiving: Receiving,
        limits: Limits,
        *,
        idle_ms: int = IDLE_MS_MAX,
        rates: NewcomerQuotas | None = None,
    ) -> None:
        self.admission = Admission(limits)
        self.idle_ms = idle_ms
        """Below 0 none is closed for being idle."""
        self.opened = 0
        """Connections that ever came; the next one's number."""
        self.expired = 0
        """Connections that were closed because they were idle."""
        self._network = network
        self._receiving = receiving
        self._rates: NewcomerQuotas = rates or _NoRates()
        self.is_serving = False
        """Whether all listeners are served; earlier connections are read from when that begins."""
        self._served: set[str] = set()
        """Names of the listeners that are served before all are."""
        self.when_lost: list[Callable[[int], None]] = []
        """Each is called with the number of a connection that was in and is over."""
        self._listeners: list[Listener] = []
        self._admitted: dict[Connection, None] = {}
        self._waiting: dict[Connection, None] = {}
        self._strangers: dict[Connection, int] = {}
        """Those that have to log in first, and since when."""
        self._half_shaken: dict[Connection, int] = {}
        """Those whose handshake of TLS has to end, and since when."""
        self._sweeping: Timer | None = None

    def __repr__(self) -> str:
        return f"Connections({len(self._admitted)} in, {len(self._waiting)} wait)"

    def __len__(self) -> int:
        return len(self._admitted)

    @property
    def budget(self) -> FrameBudget:
        """What unfinished frames may take together."""
        return self._receiving.budget

    async def open(
        self,
        listener: str,
        address: Address,
        handle: FrameHandler,
        *,
        first_bytes_max: int | None = None,
        protect: Callable[[TakeOver], TakeOver] | None = None,
    ) -> Address:
        """Open a listener; the address with the port that it got.

        Frames have at most `first_bytes_max` until the handler sets another limit. What `protect`
        makes stands between links and connections.
        """

        def take_over(link: Link) -> Connection:
            connection = self._judge(link, listener, handle)
            if first_bytes_max is not None:
                connection.frame_bytes_max = first_bytes_max
                self._strangers[connection] = self._receiving.clock.monotonic_ns()
            elif protect is not None:
                self._half_shaken[connection] = self._receiving.clock.monotonic_ns()
            return connection

        taking_over = take_over if protect is None else protect(take_over)
        opened = await self._network.listen(address, taking_over)
        self._listeners.append(opened)
        if self._sweeping is None:
            self._sweep()
        return opened.address

    def take_limits(self, limits: Limits) -> None:
        """Those that are set now: some that waited have their turn, or some have to go."""
        self.admission.limits = limits
        while self._let_next_in():
            pass
        self._close_excess()

    def begin_on(self, listeners: Collection[str]) -> None:
        """Read from the connections of these listeners, and from new ones as they come."""
        fresh = set(listeners) - self._served
        self._served |= fresh
        for connection in list(self._admitted):
            if connection.listener in fresh:
                self._begin_reading(connection)

    def begin(self) -> None:
        """Read from all connections, and from new ones as they come."""
        self.is_serving = True
        for connection in list(self._admitted):
            if connection.listener not in self._served:
                self._begin_reading(connection)

    def close_listeners(self) -> None:
        """Accept no more; the open connections go on."""
        for listener in self._listeners:
            listener.close()
        self._listeners.clear()

    def close(self) -> None:
        """Close every connection, each once its bytes are sent."""
        self.close_listeners()
        if self._sweeping is not None:
            self._sweeping.cancel()
        for connection in [*self._admitted, *self._waiting]:
            connection.end()

    def _judge(self, link: Link, listener: str, handle: FrameHandler) -> Connection:
        self.opened += 1
        connection = Connection(
            link, self._receiving, handle, self._lost, number=self.opened, listener=listener
        )
        host = link.peer.host
        delay_ms = self._rates.address_delay_ms(host)
        if delay_ms:
            connection.hold_back()
            self._receiving.tasks.after(delay_ms, connection.abort)
            return connection
        verdict = self.admission.enter(host, listener)
        if verdict is Verdict.REFUSED:
            log.info("Refusing %s: too many connections", connection)
            connection.abort()
        elif verdict is Verdict.WAIT:
            connection.hold_back()
            self._waiting[connection] = None
        else:
            self._admitted[connection] = None
            connection.hold_back()
            if self._is_served(listener):
                self._begin_reading(connection)
            self._close_excess()
        return connection

    def _close_excess(self) -> None:
        """Close connections beyond the limit, those that were idle for longest."""
        admission = self.admission
        most = admission.limits.connections_max
        if admission.count <= most:
            return
        others = [one for one in self._admitted if admission.is_too_many(one.listener)]
        others.sort(key=lambda one: one.active_ns)
        for connection in others[: admission.count - most]:
            log.info("Closing %s: there are more connections than max.connections", connection)
            connection.end()

    def _is_served(self, listener: str) -> bool:
        return self.is_serving or listener in self._served

    def _begin_reading(self, connection: Connection) -> None:
        """Now, or when the rate of its listener allows it."""
        delay_ms = self._rates.listener_delay_ms(connection.listener)
        if delay_ms:
            self._receiving.tasks.after(delay_ms, connection.welcome)
        else:
            connection.welcome()

    def _lost(self, connection: Connection) -> None:
        self._strangers.pop(connection, None)
        self._half_shaken.pop(connection, None)
        if connection in self._admitted:
            del self._admitted[connection]
            for lost in self.when_lost:
                lost(connection.number)
            self.admission.leave(connection.link.peer.host, connection.listener)
            self._let_next_in()
        elif connection in self._waiting:
            del self._waiting[connection]
            self.admission.give_up()

    def _let_next_in(self) -> bool:
        """Whether there was one."""
        for connection in self._waiting:
            if self.admission.has_room(connection.listener):
                del self._waiting[connection]
                self.admission.let_in(connection.link.peer.host, connection.listener)
                self._admitted[connection] = None
                if self._is_served(connection.listener):
                    self._begin_reading(connection)
                return True
        return False

    def _sweep(self) -> None:
        """Close the idle ones, then look again later."""
        now_ns = self._receiving.clock.monotonic_ns()
        is_short = self._receiving.budget.is_short
        for connection in list(self._admitted):
            is_stuck = connection.look(now_ns)
            silent_ms = (now_ns - connection.active_ns) // NS_PER_MS
            if is_short and connection.is_unfinished and silent_ms > STALL_MS:
                log.info("Closing %s: it holds memory and its frame does not go on", connection)
                connection.abort()
            elif 0 <= self.idle_ms < silent_ms and is_stuck:
                log.info("Closing %s: it takes nothing of its answer", connection)
                connection.abort()
            elif 0 <= self.idle_ms < silent_ms and connection.is_idle:
                log.debug("Closing %s: idle for %d ms", connection, silent_ms)
                self.expired += 1
                connection.end()
        self._end_half_logins(now_ns)
        self._end_half_handshakes(now_ns)
        self._sweeping = self._receiving.tasks.after(SWEEP_MS, self._sweep)

    def _end_half_logins(self, now_ns: int) -> None:
        """A connection that does not log in may not hold its place for the time of an idle one."""
        for connection, since_ns in list(self._strangers.items()):
            if connection.principal is not ANONYMOUS:
                del self._strangers[connection]
            elif not self._is_served(connection.listener):
                self._strangers[connection] = now_ns
            elif now_ns - since_ns > LOGIN_MS_MAX * NS_PER_MS and not connection.is_busy:
                log.info("Closing %s: it has not logged in for %d ms", connection, LOGIN_MS_MAX)
                connection.abort()

    def _end_half_handshakes(self, now_ns: int) -> None:
        """The same for one that has begun to agree on protection, and does not go on."""
        for connection, since_ns in list(self._half_shaken.items()):
            if cast("SecureLink", connection.link).is_protected:
                del self._half_shaken[connection]
            elif now_ns - since_ns > LOGIN_MS_MAX * NS_PER_MS:
                log.info(
                    "Closing %s: its handshake of TLS has not ended in %d ms",
                    connection,
                    LOGIN_MS_MAX,
                )
                connection.abort()
