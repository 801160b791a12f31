"""Tokens for logins by OAUTHBEARER: from an identity provider, a file, a function, or unsecured.

A token is kept and used for every connection until `sasl.login.refresh.window.factor` of its life
is over; then the next connection fetches another one. As in Kafka that is not in the last
`sasl.login.refresh.buffer.seconds` nor in the first `sasl.login.refresh.min.period.seconds`,
unless the whole life is shorter than both. One whose end cannot be read, since it is no
JWT, is fetched for each connection.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, Protocol
from urllib.parse import urlencode

from moldau.errors import MoldauError, NetworkError
from moldau.network.outgoing.assertions import AssertionSource
from moldau.network.outgoing.web import Web
from moldau.network.sasl.oauth.jwt import JwtError, parse_jwt, read_object
from moldau.network.sasl.oauth.rules import number_of
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files, read_whole
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Promise, Tasks

__all__ = [
    "CalledForToken",
    "ClientAssertion",
    "ClientCredentials",
    "JwtBearer",
    "KeptToken",
    "LastingError",
    "RetriedSource",
    "TokenFile",
    "TokenSource",
]

OK: Final = 200
MS_PER_S: Final = 1000
REFUSALS: Final = (400, 401, 403)
CLIENT_ERRORS: Final = range(400, 500)
PASSING_CLIENT_ERRORS: Final = (408, 429)
LASTING_SERVER_ERRORS: Final = (501, 505)
ANSWERED: Final = ("access_token", "id_token")
"""Where an answer has the token; the first that is there."""
FAILURES: Final = (AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError)
"""What a function that asks an identity provider raises; its text may hold secrets."""
FORM: Final = "application/x-www-form-urlencoded"
CLIENT_CREDENTIALS: Final = "client_credentials"
JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


class TokenSource(Protocol):
    """Where a token comes from."""

    async def fetch(self) -> str:
        """A fresh one, or a `MoldauError` that shows nothing secret."""
        ...


class LastingError(NetworkError):
    """The identity provider would answer the same again."""


class ClientCredentials(NamedTuple):
    """The grant of RFC 6749 4.4: this program is a client of the identity provider."""

    web: Web
    url: str
    client_id: str
    client_secret: str
    scope: str | None

    def __repr__(self) -> str:
        return f"ClientCredentials({self.client_id} at {self.url})"

    async def fetch(self) -> str:
        credentials = b64encode(f"{self.client_id}:{self.client_secret}".encode()).decode()
        headers = {"Authorization": f"Basic {credentials}"}
        form = {"grant_type": CLIENT_CREDENTIALS, "scope": self.scope}
        return await _granted(self.web, self.url, headers, form)


class JwtBearer(NamedTuple):
    """The grant of RFC 7523 2.1: an assertion names whom a token is for."""

    web: Web
    url: str
    assertions: AssertionSource
    scope: str | None

    async def fetch(self) -> str:
        assertion = await self.assertions.make()
        form = {"grant_type": JWT_BEARER, "assertion": assertion, "scope": self.scope}
        return await _granted(self.web, self.url, {}, form)


class ClientAssertion(NamedTuple):
    """The grant of client credentials with an assertion for a secret: RFC 7523 2.2, KIP-1258."""

    web: Web
    url: str
    assertions: AssertionSource
    client_id: str | None
    scope: str | None

    async def fetch(self) -> str:
        form = {
            "client_assertion_type": ASSERTION_TYPE,
            "client_assertion": await self.assertions.make(),
            "grant_type": CLIENT_CREDENTIALS,
            "client_id": self.client_id,
            "scope": self.scope,
        }
        return await _granted(self.web, self.url, {}, form)


async def _granted(
    web: Web, url: str, headers: Mapping[str, str], form: Mapping[str, str | None]
) -> str:
    given = {name: text.strip() for name, text in form.items() if text and text.strip()}
    everywhere = {"Cache-Control": "no-cache", "Content-Type": FORM}
    answer = await web.post(url, {**headers, **everywhere}, urlencode(given).encode())
    if answer.status != OK:
        what = "refuses this client" if answer.status in REFUSALS else "gives no token"
        kind = LastingError if _is_lasting(answer.status) else NetworkError
        raise kind(url, f"the identity provider {what}: status {answer.status}")
    return _token_in(answer.body, url)


def _is_lasting(status: int) -> bool:
    if status in CLIENT_ERRORS:
        return status not in PASSING_CLIENT_ERRORS
    return status in LASTING_SERVER_ERRORS


class RetriedSource(NamedTuple):
    """Asks again while an identity provider cannot be reached or is busy.

    As with Kafka the pause doubles from `sasl.login.retry.backoff.ms` on, and
    `sasl.login.retry.backoff.max.ms` bounds all of it: what begins later than that does not begin.
    """

    source: TokenSource
    clock: Clock
    tasks: Tasks
    backoff_ms: int
    backoff_max_ms: int

    async def fetch(self) -> str:
        ends_ms = self.clock.now_ms() + self.backoff_max_ms
        pause_ms = self.backoff_ms
        while True:
            try:
                return await self.source.fetch()
            except LastingError:
                raise
            except NetworkError:
                left_ms = ends_ms - self.clock.now_ms()
                if min(left_ms, pause_ms) <= 0:
                    raise
                # Within the handler, so that a caller whose time ends here can name the failure.
                await self.tasks.sleep(min(left_ms, pause_ms))
            pause_ms *= 2


def _token_in(body: bytes, url: str) -> str:
    try:
        found = read_object(body, "answer")
    except JwtError as error:
        raise NetworkError(url, str(error)) from None
    for name in ANSWERED:
        if isinstance(found.get(name), str) and found[name].strip():
            return str(found[name]).strip()
    raise NetworkError(url, f"the answer has no {json.dumps(ANSWERED[0])}")


class TokenFile(NamedTuple):
    """A file that another program keeps fresh, as in pods of Kubernetes."""

    files: Files
    tasks: Tasks
    path: str

    async def fetch(self) -> str:
        text = await self.tasks.offload(read_whole, self.files, self.path)
        try:
            return text.decode().strip()
        except UnicodeDecodeError:
            raise MoldauError(f"{self.path} holds no token: it is not text") from None


class CalledForToken(NamedTuple):
    """A function of the program; it may block, since it is called beside the loop."""

    function: Callable[[], str]
    tasks: Tasks

    async def fetch(self) -> str:
        try:
            return str(await self.tasks.offload(self.function)).strip()
        except FAILURES as error:
            name = getattr(self.function, "__name__", "the function")
            raise MoldauError(f"{name} raised {type(error).__name__}") from error


class KeptToken:
    """A source, and what it gave last."""

    def __init__(
        self,
        source: TokenSource,
        clock: Clock,
        random: Random,
        tasks: Tasks,
        *,
        window_factor: float,
        window_jitter: float,
        buffer_s: int = 0,
        least_s: int = 0,
    ) -> None:
        """Not renewed in the last `buffer_s` of its life, nor in the first `least_s`."""
        self._source = source
        self._clock = clock
        self._random = random
        self._tasks = tasks
        self._factor = window_factor
        self._jitter = window_jitter
        self._buffer_ms = buffer_s * MS_PER_S
        self._least_ms = least_s * MS_PER_S
        self._token = ""
        self._fresh_until_ms = 0.0
        self._waiting: list[Promise[str]] | None = None

    def __repr__(self) -> str:
        return f"KeptToken({self._source})"

    async def get(self) -> str:
        """The one that is kept, while it is fresh."""
        if self._token and self._clock.now_ms() < self._fresh_until_ms:
            return self._token
        if self._waiting is not None:
            promise: Promise[str] = self._tasks.promise()
            self._waiting.append(promise)
            return await promise.wait()
        return await self._renew()

    async def _renew(self) -> str:
        """One request for all callers that need a token now."""
        self._waiting, token = [], ""
        failure = MoldauError("fetching a token was given up")
        try:
            token = await self._source.fetch()
            self._token, self._fresh_until_ms = token, self._end_of(token)
        except MoldauError as error:
            failure = error
            raise
        finally:
            self._settle(token, failure)
        return token

    def _settle(self, token: str, failure: MoldauError) -> None:
        waiting, self._waiting = self._waiting or [], None
        for promise in waiting:
            if token:
                promise.keep(token)
            else:
                promise.fail(failure)

    def _end_of(self, token: str) -> float:
        """When another one is fetched."""
        now_ms = self._clock.now_ms()
        try:
            ends_s = number_of(parse_jwt(token).claims, "exp")
        except JwtError:
            return 0.0
        if ends_s is None:
            return 0.0
        share = self._factor + self._jitter * self._random.random()
        left_ms = ends_s * MS_PER_S - now_ms
        fresh_ms = left_ms * share
        if left_ms >= self._least_ms + self._buffer_ms:  # of a shorter life neither is left
            fresh_ms = max(min(fresh_ms, left_ms - self._buffer_ms), self._least_ms)
        return now_ms + fresh_ms
