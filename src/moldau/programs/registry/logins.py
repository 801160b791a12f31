"""Who asks a program: with logins, the user of HTTP is the principal of Kafka.

Each user has clients of its own, which log in to the cluster with the name and password of the
request, so that the cluster's credentials, access rules and quotas decide, and none are kept here.
Whose password the cluster refuses gets 401. A user's clients end when other users need the place.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, Protocol

from moldau.client.errors import RefusedError
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.front import Rates
from moldau.programs.http.messages import Handler, HttpError, Request, Response
from moldau.programs.http.routes import Router
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.turns import Turns
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "Login",
    "LoginRouter",
    "Tenancy",
    "authorization_of",
    "basic_login",
    "ensure_logins",
    "login_settings",
]

USERS_MAX: Final = 100
"""Each has connections to every broker that it has asked."""
BASIC: Final = "basic"
PLAIN: Final = "PLAIN"
MODULES: Final[Mapping[str, str]] = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM": "org.apache.kafka.common.security.scram.ScramLoginModule",
}


class Login(NamedTuple):
    """What a request shows."""

    user: str
    password: str

    def __repr__(self) -> str:
        return f"Login({self.user})"


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


def basic_login(request: Request) -> Login:
    """Of the header `Authorization`, or 401."""
    scheme, _, text = request.headers.get("authorization", "").partition(" ")
    try:
        user, colon, password = b64decode(text.strip(), validate=True).decode().partition(":")
    except (Base64Error, ValueError):
        raise _unauthorized("Authorization is not as HTTP has it") from None
    if scheme.lower() != BASIC or not colon or not user or not password:
        raise _unauthorized("log in with the name and password of a user of the cluster")
    return Login(user, password)


def login_settings(client: Mapping[str, str], login: Login) -> dict[str, str]:
    """Of a client that logs in so, by the mechanism that `client` names."""
    mechanism = client.get("sasl.mechanism", PLAIN)
    module = MODULES[mechanism.partition("-")[0]]
    user, password = (_quoted(text) for text in login)
    text = f"{module} required username={user} password={password};"
    return {**client, "sasl.mechanism": mechanism, "sasl.jaas.config": text}


def authorization_of(login: Login) -> str:
    """The header that a user of this name shows."""
    return f"Basic {b64encode(':'.join(login).encode()).decode()}"


def ensure_logins(client: Mapping[str, str]) -> None:
    """`SettingError` where the cluster's clients do not log in."""
    if not client.get("security.protocol", "").upper().startswith("SASL"):
        raise SettingError(
            "logins are for a cluster whose clients log in: set security.protocol to SASL_SSL or "
            "SASL_PLAINTEXT, and sasl.mechanism"
        )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unauthorized(why: str) -> HttpError:
    return refuse(Refusal.AUTHENTICATION, why)


class LoginRouter(Router):
    """Finds the routes of the user who asks."""

    def __init__(
        self, tasks: Tasks, tenant: Callable[[Login], Tenancy], rates: Rates | None = None
    ) -> None:
        """`rates` limits how often each user may ask."""
        super().__init__(())
        self._rates = rates
        self._make = tenant
        self._turns = Turns(tasks)
        self._known: dict[Login, Tenancy] = {}

    def find(self, method: str, path: str) -> tuple[Handler, Mapping[str, str]]:
        return self._answer, {}

    async def close(self) -> None:
        while self._known:
            await self._known.popitem()[1].close()

    async def _answer(self, request: Request) -> Response:
        login = basic_login(request)
        tenant = await self._tenant(login)
        if self._rates is not None:
            self._rates.take(login.user)
        tenant.users += 1
        try:
            handler, request.parameters = tenant.router.find(request.method, request.path)
            answer = handler(request)
            return answer if isinstance(answer, Response) else await answer
        finally:
            tenant.users -= 1

    async def _tenant(self, login: Login) -> Tenancy:
        """One whose password the cluster has accepted."""
        known = self._known.pop(login, None)
        if known is None:
            known = await self._logged_in(login)
        self._known[login] = known  # the last one is the latest
        return known

    async def _logged_in(self, login: Login) -> Tenancy:
        async with self._turns.turn():  # one at a time: who guesses passwords waits in line
            if login in self._known:
                return self._known[login]
            tenant = self._make(login)
            try:
                await tenant.log_in()
            except RefusedError as error:
                await tenant.close()
                if error.error is not ErrorCode.SASL_AUTHENTICATION_FAILED:
                    raise
                why = "the cluster does not know this user with this password"
                raise _unauthorized(why) from None
            except MoldauError:
                await tenant.close()
                raise
            await self._make_room()
            self._known[login] = tenant
            return tenant

    async def _make_room(self) -> None:
        idle = [login for login, tenant in self._known.items() if not tenant.is_used]
        for login in idle[: max(len(self._known) - USERS_MAX + 1, 0)]:
            await self._known.pop(login).close()
