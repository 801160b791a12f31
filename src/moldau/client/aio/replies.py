"""The pending answers of one connection, for callers that wait without a task.

Answers come in the order of their requests, so one timer watches them all: it is set for the
oldest, and set again only when it has come to its end in vain.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, TypeAlias

from moldau.client.core.dialogue import Ask
from moldau.client.core.telemetry.meter import Meter
from moldau.client.core.versions import choose_version
from moldau.client.errors import ClientError, UnreachableError
from moldau.errors import DecodeError, NetworkError
from moldau.network.outgoing.peer import Peer
from moldau.network.outgoing.versions import Spoken
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks, Timer
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.interpret import decode_seldom
from moldau.protocol.wire.schema import Message

__all__ = ["Replies"]

NANOSECONDS_PER_MS: Final = 1_000_000
Then: TypeAlias = Callable[[Message | ClientError], None]


class Replies:
    """Asks over one connection, and calls back in the turn that reads the answer."""

    __slots__ = (
        "_clock", "_meter", "_request_timeout_ms", "_spoken", "_tasks", "_timer", "_versions",
        "_waiting", "peer",
    )  # fmt: skip

    def __init__(
        self,
        tasks: Tasks,
        clock: Clock,
        meter: Meter,
        peer: Peer,
        spoken: Spoken,
        request_timeout_ms: int,
    ) -> None:
        self.peer = peer
        self._tasks = tasks
        self._clock = clock
        self._meter = meter
        self._spoken = spoken
        self._request_timeout_ms = request_timeout_ms
        self._versions: dict[tuple[int, int | None, int], int] = {}
        """Chosen before, by API key, newest and oldest."""
        self._waiting: deque[_Reply] = deque()
        self._timer: Timer | None = None

    def __repr__(self) -> str:
        return f"<Replies of {self.peer.address}: {len(self._waiting)} waited for>"

    def ask(self, ask: Ask, then: Then) -> None:
        """What the connection cannot carry is raised: `ClientError`, or `EncodeError`."""
        request = ask.request
        wanted = (request.KEY, ask.newest, ask.oldest)
        version = self._versions.get(wanted)
        if version is None:
            version = choose_version(type(request), self._spoken, ask.newest, ask.oldest)
            self._versions[wanted] = version
        response: type[Message] = BY_KEY[request.KEY].response
        timeout_ms = ask.timeout_ms or self._request_timeout_ms
        reply = _Reply(self, ask.node_id, response, version, self.now_ms(), timeout_ms, then)
        self.peer.ask_for(reply, request, version, response)
        if not reply.is_over:
            self._waiting.append(reply)
            if self._timer is None:
                self._timer = self._tasks.after(timeout_ms, self._look)

    def now_ms(self) -> int:
        now_ns: int = self._clock.monotonic_ns()
        return now_ns // NANOSECONDS_PER_MS

    def came(self, reply: _Reply) -> None:
        """It is not waited for any more; it is nearly always the oldest."""
        if self._waiting and self._waiting[0] is reply:
            self._waiting.popleft()
        elif reply in self._waiting:
            self._waiting.remove(reply)

    def took(self, reply: _Reply) -> None:
        took_ms = self.now_ms() - reply.began_ms
        self._meter.time("node.request.latency", took_ms, str(reply.node_id))

    def senseless(self, error: DecodeError) -> ClientError:
        """A connection whose answer cannot be decoded is closed."""
        reason = f"no sense in its answer: {error}"
        self.peer.abort(reason)
        unreachable = UnreachableError(str(self.peer.address), reason)
        unreachable.__cause__ = error
        return unreachable

    def _look(self) -> None:
        """Disconnect a peer that does not answer in time; all that wait for it fail."""
        self._timer = None
        now_ms, next_ms = self.now_ms(), -1
        for reply in list(self._waiting):
            left_ms = reply.began_ms + reply.timeout_ms - now_ms
            if left_ms <= 0:
                late = f"no answer within {reply.timeout_ms} ms (request.timeout.ms)"
                self.peer.abort(late)
                return
            next_ms = left_ms if next_ms < 0 else min(next_ms, left_ms)
        if next_ms >= 0:
            self._timer = self._tasks.after(next_ms, self._look)


class _Reply:
    """Receives one of them."""

    __slots__ = (
        "_replies", "_response", "_then", "_version", "began_ms", "is_over", "node_id",
        "timeout_ms",
    )  # fmt: skip

    def __init__(
        self,
        replies: Replies,
        node_id: int | None,
        response: type[Message],
        version: int,
        began_ms: int,
        timeout_ms: int,
        then: Then,
    ) -> None:
        self._replies = replies
        self._response = response
        self._version = version
        self._then = then
        self.node_id = node_id
        self.began_ms = began_ms
        self.timeout_ms = timeout_ms
        self.is_over = False

    def keep(self, value: memoryview) -> None:
        self.is_over = True
        replies = self._replies
        replies.came(self)
        replies.took(self)
        found: Message | ClientError
        try:
            found = decode_seldom(self._response, self._version, value)
        except DecodeError as error:
            found = replies.senseless(error)
        self._then(found)

    def fail(self, error: Exception) -> None:
        self.is_over = True
        self._replies.came(self)
        reason = error.reason if isinstance(error, NetworkError) else str(error)
        unreachable = UnreachableError(str(self._replies.peer.address), reason)
        unreachable.__cause__ = error
        self._then(unreachable)
