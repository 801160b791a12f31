"""Functions of one's own that know passwords and tokens: of a directory, of a service of logins.

    listener.name.NAME.plain.sasl.server.callback.handler.class=package.module:function

For PLAIN the function is given a name and a password, and returns whether it is that name's. For
OAUTHBEARER it is given a token, and returns its claims, of which `exp` and `sub` (or the claim that
`sasl.oauthbearer.sub.claim.name` names) have to be there; or None. The setting holds where it
stands in the node's file, and only there.

Such a function asks others and takes its time. So it is called beside the loop, a few at a time,
and the dialogue goes on when it has answered. Whatever it raises is a refusal, with its kind in the
log and no more of it, since it may hold the password.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple, Self

from moldau.config.refusals import SettingError
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.oauth.bearer import token_of
from moldau.network.sasl.oauth.jwt import JwtError
from moldau.network.sasl.oauth.rules import Bearer, number_of, text_of
from moldau.network.sasl.plain import login_of
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks

__all__ = ["HANDLER", "Edge", "OwnPasswords", "OwnTokens", "is_own_code", "own_function"]

HANDLER: Final = "sasl.server.callback.handler.class"
AT_A_TIME: Final = 2
"""Calls beside the loop: the threads for them are for the disk, too."""
MS_PER_SECOND: Final = 1000


class _Failed(NamedTuple):
    """The function has raised this."""

    kind: str


class Edge:
    """Behind it is code of others, which may raise anything: a refusal, and no end of the node."""

    kind = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: object, _traceback: object
    ) -> bool:
        self.kind = "" if kind is None else kind.__name__
        return kind is not None and issubclass(kind, Exception)


def is_own_code(name: str | None) -> bool:
    """Whether it names a function of Python, and no class of Java."""
    return name is not None and ":" in name


def own_function(name: str, setting: str, listener: str) -> Callable[..., Any]:
    """What is named MODULE:NAME, or `SettingError`."""
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise SettingError(
            f"{setting} of listener {listener} is {name}, which cannot be imported: {error}"
        ) from None
    if not callable(found):
        raise SettingError(f"{setting} of listener {listener} is {name}, which cannot be called")
    made: Callable[..., Any] = found
    return made


class _Calls:
    """Calls of one function, in the order in which they were asked for."""

    def __init__(self, function: Callable[..., Any], tasks: Tasks) -> None:
        self._function = function
        self._tasks = tasks
        self._waiting: deque[tuple[tuple[str, ...], Callable[[Any], None]]] = deque()
        self._running = 0

    def begin(self, arguments: tuple[str, ...], then: Callable[[Any], None]) -> None:
        """Call `then` with what came of it. A connection has one such call at a time."""
        self._waiting.append((arguments, then))
        self._go_on()

    def _go_on(self) -> None:
        while self._waiting and self._running < AT_A_TIME:
            self._running += 1
            self._tasks.spawn("a login by code of one's own", self._call(*self._waiting.popleft()))

    async def _call(self, arguments: tuple[str, ...], then: Callable[[Any], None]) -> None:
        try:
            found = await self._tasks.offload(self._answer, arguments)
        finally:
            self._running -= 1
        then(found)
        self._go_on()

    def _answer(self, arguments: tuple[str, ...]) -> Any:  # noqa: ANN401  # whatever it returns
        with Edge() as edge:
            return self._function(*arguments)
        return _Failed(edge.kind)


class OwnPasswords:
    """Passwords of PLAIN, checked by a function of the operator's."""

    def __init__(self, function: Callable[..., Any], tasks: Tasks) -> None:
        self._calls = _Calls(function, tasks)
        self._judged: tuple[tuple[str, ...], Any] | None = None
        """What is being decided at this moment, and what the function has made of it."""

    def prepare(self, response: bytes, then: Callable[[], None]) -> None:
        """Go on when this message of a client can be decided."""
        try:
            name, password = login_of(response)[1:]
        except SaslError:
            then()  # the dialogue refuses it, with the cause
            return

        def decide(found: object) -> None:
            self._judged = (name, password), found
            try:
                then()
            finally:
                self._judged = None

        self._calls.begin((name, password), decide)

    def is_password(self, name: str, password: str) -> bool:
        assert self._judged is not None, "it was prepared"
        assert self._judged[0] == (name, password), "it is the one that was prepared"
        found = self._judged[1]
        if isinstance(found, _Failed):
            raise SaslError(f"the function of {HANDLER} raised {found.kind}")
        return found is True


class OwnTokens:
    """Tokens of OAUTHBEARER, checked by a function of the operator's."""

    def __init__(
        self, function: Callable[..., Any], tasks: Tasks, clock: Clock, name_claim: str
    ) -> None:
        self._calls = _Calls(function, tasks)
        self._clock = clock
        self._name_claim = name_claim
        self._judged: Any = None

    def prepare(self, response: bytes, then: Callable[[], None]) -> None:
        try:
            token = token_of(response)
        except SaslError:
            then()
            return

        def decide(found: object) -> None:
            self._judged = found
            try:
                then()
            finally:
                self._judged = None

        self._calls.begin((token,), decide)

    def validate(self, token: str) -> Bearer:
        claims = self._judged
        if isinstance(claims, _Failed):
            raise JwtError(f"the function of {HANDLER} raised {claims.kind}")
        if not isinstance(claims, Mapping):
            raise JwtError(f"the function of {HANDLER} has refused the token")
        ends_s = number_of(claims, "exp")
        if ends_s is None or ends_s * MS_PER_SECOND <= self._clock.now_ms():
            raise JwtError("the token has expired, or its claims have no exp")
        return Bearer(text_of(claims, self._name_claim), int(ends_s * MS_PER_SECOND))
