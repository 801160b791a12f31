"""The keys of an identity provider, as a node has them: fetched at its start, and again and again.

    jwks.endpoint.url   file:///...     read again when the file has another date or size
                        http(s)://...   every `jwks.endpoint.refresh.ms`; sooner when a token names
                                        a key that is not there, at most once in a few seconds

A login whose key is missing waits for the fetch that it caused, so that a provider may begin to use
a key the moment that it is published. While the provider cannot be reached the keys that are known
stay in force, and where none are known every token is refused: nothing is ever accepted unverified.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from moldau.errors import MoldauError
from moldau.network.outgoing.backoff import Backoff
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files, read_whole
from moldau.platform.ports.tasks import Tasks, Timer

if TYPE_CHECKING:
    from moldau.network.sasl.oauth.keys import KeySet

__all__ = ["KeysFile", "KeysPace", "KeysPlace", "TokenKeys"]

log = logging.getLogger(__name__)

FILE_SIZE_MAX: Final = 1 << 20
UNKNOWN_MS: Final = 5_000
"""Between two fetches for keys that are not there: strangers may name any."""
WAITING_MAX: Final = 1_000
"""Logins that wait for one fetch; those after them are decided by the keys that are there."""
NS_PER_MS: Final = 1_000_000


class KeysPlace(Protocol):
    """Where the keys that sign tokens come from."""

    def has_changed(self) -> bool:
        """Whether what was read last is known to be old; a question that costs little."""
        ...

    async def read(self) -> bytes: ...


class KeysPace(NamedTuple):
    """`sasl.oauthbearer.jwks.endpoint.*`."""

    refresh_ms: int
    backoff: Backoff


class KeysFile:
    """`file:///path/to/keys.json`."""

    def __init__(self, files: Files, tasks: Tasks, path: str) -> None:
        self._files = files
        self._tasks = tasks
        self._path = path
        self._seen: object = None

    def __repr__(self) -> str:
        return f"KeysFile({self._path})"

    def has_changed(self) -> bool:
        return self._files.status(self._path) != self._seen

    async def read(self) -> bytes:
        self._seen = status = self._files.status(self._path)
        if status is not None and status.size > FILE_SIZE_MAX:
            raise MoldauError(f"{self._path} has {status.size} bytes; {FILE_SIZE_MAX} are accepted")
        return await self._tasks.offload(read_whole, self._files, self._path)


class TokenKeys:
    """See the head of the file."""

    def __init__(
        self,
        place: KeysPlace,
        read_keys: Callable[[bytes], KeySet],
        clock: Clock,
        tasks: Tasks,
        pace: KeysPace,
    ) -> None:
        self.keys: KeySet | None = None
        self._place = place
        self._read_keys = read_keys
        self._clock = clock
        self._tasks = tasks
        self._pace = pace
        self._failures = 0
        self._reason = ""
        self._is_fetching = False
        self._fetched_ns: int | None = None
        self._timer: Timer | None = None
        self._waiting: list[Callable[[], None]] = []

    def __repr__(self) -> str:
        return f"TokenKeys({self._place}: {self.keys or self._reason or 'not fetched yet'})"

    def begin(self) -> None:
        """Fetch them for the first time, and from then on."""
        self._fetch()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def when_known(self, key_id: object, then: Callable[[], None]) -> None:
        """Go on now, or when a fetch is over that may bring the key."""
        is_old = self._place.has_changed()
        if self.keys is not None and not is_old and self.keys.has(key_id):
            then()
            return
        if is_old or self._may_fetch():
            self._fetch()
        if self._is_fetching and len(self._waiting) < WAITING_MAX:
            self._waiting.append(then)
        else:
            then()

    def _may_fetch(self) -> bool:
        if self._fetched_ns is None:
            return True
        return self._clock.monotonic_ns() - self._fetched_ns >= UNKNOWN_MS * NS_PER_MS

    def _fetch(self) -> None:
        if not self._is_fetching:
            self._is_fetching = True
            self.close()
            self._tasks.spawn("keys of the identity provider", self._run())

    async def _run(self) -> None:
        try:
            self.keys = self._read_keys(await self._place.read())
        except MoldauError as error:
            self._failed(str(error))
        else:
            log.info("The keys of the identity provider are read: %s", self)
            self._failures, self._reason = 0, ""
        self._is_fetching = False
        self._fetched_ns = self._clock.monotonic_ns()
        self._timer = self._tasks.after(self._next_ms(), self._fetch)
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()

    def _failed(self, reason: str) -> None:
        self._failures += 1
        if reason != self._reason:
            known = "those known before stay in force" if self.keys else "tokens are refused"
            log.warning(
                "The keys of the identity provider cannot be had; %s, and it is tried again: %s",
                known, reason,
            )  # fmt: skip
        self._reason = reason

    def _next_ms(self) -> float:
        if not self._failures:
            return self._pace.refresh_ms
        return self._pace.backoff.wait_ms(self._failures - 1)
