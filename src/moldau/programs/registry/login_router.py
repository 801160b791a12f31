"""Routes behind logins: each user has clients of its own, and routes that use them.

The cluster is asked whether it knows the user, and again a minute later if requests still come: so
a password that was changed is of no use after a minute, although connections that have logged in
stay. Whose password or token it refuses gets 401. A user's clients end with its token, or when
other users need the place. Streams and sockets end in the same way as requests are refused.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Final, NamedTuple, Protocol

from moldau.client.errors import RefusedError
from moldau.errors import MoldauError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.front import Rates
from moldau.programs.http.holding import held_pieces, held_response
from moldau.programs.http.messages import Handler, HttpError, Request, Response
from moldau.programs.http.routes import Router
from moldau.programs.registry.delegated import Delegations
from moldau.programs.registry.logins import (
    Kind,
    Login,
    ends_ms,
    shown_login,
    unauthorized,
)
from moldau.programs.registry.turns import Turns
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["LoginRouter", "Tenancy"]

USERS_MAX: Final = 100
"""Each has connections to every broker that it has asked."""
UNKNOWN: Final = (
    ErrorCode.SASL_AUTHENTICATION_FAILED,
    ErrorCode.UNSUPPORTED_SASL_MECHANISM,
    ErrorCode.ILLEGAL_SASL_STATE,
)
DELEGATED_TRIES: Final = 10
CHECKED_MS: Final = 60_000
"""For how long an answer of the cluster holds."""
SPREAD_MS: Final = 200
"""Between tries: a broker may not have applied the record of a token that was made just now."""
WHY: Final[Mapping[Kind, str]] = {
    Kind.PASSWORD: "the cluster does not know this user with this password",
    Kind.BEARER: "the cluster does not accept this token",
    Kind.DELEGATED: "the cluster does not accept the delegation token that it has made",
}


class Tenancy(Protocol):
    """What one user has: clients that have logged in, and routes."""

    users: int
    """Requests that are being answered."""
    router: Router

    @property
    def is_used(self) -> bool: ...

    async def log_in(self) -> None:
        """Return where the cluster knows the user, or `RefusedError`."""
        ...

    async def close(self) -> None: ...


class _Held(NamedTuple):
    tenant: Tenancy
    until_ms: float | None
    """Since 1970; None for ever."""
    checked_ms: float
    """When the cluster accepted it last."""


@contextmanager
def _used(tenant: Tenancy) -> Iterator[Tenancy]:
    """It has one more request that is being answered, and so is not forgotten."""
    tenant.users += 1
    try:
        yield tenant
    finally:
        tenant.users -= 1


class LoginRouter(Router):
    """Finds the routes of the user who asks."""

    def __init__(
        self,
        tasks: Tasks,
        clock: Clock,
        tenant: Callable[[Login], Tenancy],
        rates: Rates | None = None,
        delegations: Delegations | None = None,
    ) -> None:
        """`rates` limits how often each user may ask; `delegations` takes certificates."""
        super().__init__(())
        self._tasks = tasks
        self._clock = clock
        self._rates = rates
        self._make = tenant
        self._delegations = delegations
        self._lines: dict[str, Turns] = {}
        """By address, while one of it logs in."""
        self._known: dict[Login, _Held] = {}

    def find(self, method: str, path: str) -> tuple[Handler, Mapping[str, str]]:
        return self._answer, {}

    async def close(self) -> None:
        while self._known:
            await self._known.popitem()[1].tenant.close()
        if self._delegations is not None:
            await self._delegations.close()

    @asynccontextmanager
    async def known(self, login: Login, peer: str = "") -> AsyncIterator[Tenancy | None]:
        """What a user has who has logged in here so before; None for others.

        A name and password are thus shown to no cluster to which their user has not shown them.
        """
        if login not in self._known:
            yield None
            return
        with _used(await self._tenant(login, peer)) as tenant:
            yield tenant

    async def _answer(self, request: Request) -> Response:
        login = self._shown(request)
        tenant = await self._tenant(login, request.peer)
        if self._rates is not None:
            self._rates.take(login.user)
        ensure = partial(self._ensure, login, request.peer)
        with _used(tenant):
            handler, request.parameters = tenant.router.find(request.method, request.path)
            if request.stream is not None:
                request.stream = held_pieces(request.stream, ensure)
            answer = handler(request)
            response = answer if isinstance(answer, Response) else await answer
        return held_response(response, ensure, self._tasks, partial(self._look_in_ms, login))

    def _shown(self, request: Request) -> Login:
        """A certificate counts where nothing else is shown."""
        is_bare = "authorization" not in request.headers
        if is_bare and self._delegations is not None and request.certificate is not None:
            return self._delegations.shown(request.certificate)
        return shown_login(request)

    async def _ensure(self, login: Login, peer: str) -> None:
        held = self._known.get(login)
        if held is None or not self._is_fresh(held):
            await self._tenant(login, peer)

    def _look_in_ms(self, login: Login) -> float:
        """When a socket is looked at again: at the end of its token, if that comes sooner."""
        held = self._known.get(login)
        if held is None:
            return 0
        now_ms = self._clock.now_ms()
        ends_ms = held.checked_ms + CHECKED_MS
        if held.until_ms is not None:
            ends_ms = min(ends_ms, held.until_ms)
        return max(ends_ms - now_ms, 1)

    async def _tenant(self, login: Login, peer: str) -> Tenancy:
        """One whose password or token the cluster accepts, as of a minute ago at most."""
        while (held := self._known.get(login)) is None or not self._is_fresh(held):
            async with self._turn(peer):
                held = self._known.get(login)
                if held is None:
                    await self._log_in(login)
                elif self._is_over(held):
                    await self._forget(login, held)
                elif not self._is_fresh(held):
                    await self._check(login, held)
        self._known[login] = self._known.pop(login)  # the last one is the latest
        return held.tenant

    @asynccontextmanager
    async def _turn(self, peer: str) -> AsyncIterator[None]:
        """One login at a time from each address: guessing of passwords delays no other address."""
        turns = self._lines.setdefault(peer, Turns(self._tasks))
        try:
            async with turns.turn():
                yield
        finally:
            if not turns.users:
                self._lines.pop(peer, None)

    def _is_over(self, held: _Held) -> bool:
        return held.until_ms is not None and self._clock.now_ms() >= held.until_ms

    def _is_fresh(self, held: _Held) -> bool:
        return not self._is_over(held) and self._clock.now_ms() < held.checked_ms + CHECKED_MS

    async def _log_in(self, login: Login) -> None:
        shown, until_ms = await self._to_show(login)
        if until_ms is not None and self._clock.now_ms() >= until_ms:
            raise unauthorized("the token is over: get another one")
        tenant = await self._accepted(shown, login)
        if login in self._known:
            await tenant.close()  # the same one has come from another address
            return
        self._known[login] = _Held(tenant, until_ms, self._clock.now_ms())
        await self._make_room()

    async def _check(self, login: Login, held: _Held) -> None:
        """Log in once more, beside the clients that there are: connections outlive a password."""
        try:
            shown, _ = await self._to_show(login)
            await (await self._accepted(shown, login)).close()
        except HttpError:
            await self._forget(login, held)
            raise
        if self._known.get(login) is held:
            self._known[login] = held._replace(checked_ms=self._clock.now_ms())

    async def _forget(self, login: Login, held: _Held) -> None:
        if self._known.get(login) is held:
            del self._known[login]
            await held.tenant.close()

    async def _to_show(self, login: Login) -> tuple[Login, float | None]:
        """What the user's clients log in with, and until when."""
        if login.kind is not Kind.CERTIFICATE:
            return login, ends_ms(login)
        assert self._delegations is not None, "it has taken the certificate"
        return await self._delegations.delegated(login.user)

    async def _accepted(self, shown: Login, login: Login) -> Tenancy:
        tries = DELEGATED_TRIES if shown.kind is Kind.DELEGATED else 1
        while True:
            tenant = self._make(shown)
            try:
                await tenant.log_in()
            except RefusedError as error:
                await tenant.close()
                if error.error not in UNKNOWN:
                    raise
                tries -= 1
                if not tries:
                    if self._delegations is not None:
                        self._delegations.forget(login.user)
                    raise unauthorized(WHY[shown.kind]) from None
                await self._tasks.sleep(SPREAD_MS)
            except MoldauError:
                await tenant.close()
                raise
            else:
                return tenant

    async def _make_room(self) -> None:
        idle = [login for login, held in self._known.items() if not held.tenant.is_used]
        for login in idle[: max(len(self._known) - USERS_MAX + 1, 0)]:
            held = self._known.pop(login, None)
            if held is not None:
                await held.tenant.close()
