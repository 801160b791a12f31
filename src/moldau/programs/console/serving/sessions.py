"""Browsers that have logged in at an identity provider, and routes behind that login.

    GET  /login            to the provider; `to` is the page that was asked for
    GET  /login/callback   back from it: the code becomes a session, and its id a cookie
    POST /api/logout       ends the session here

A session's id is drawn at the login and known to one browser alone; a login that begins is bound to
its browser by a cookie too, so that no link logs a user in as another one. The session's access
token takes the place of the header `Authorization`; who sends that header needs no session.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hmac import compare_digest
from json import dumps
from typing import Final, NamedTuple, TypeVar
from urllib.parse import quote

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.randomness import Random
from moldau.programs.console.serving.oidc import CALLBACK, OidcProvider
from moldau.programs.http.holding import held_pieces
from moldau.programs.http.messages import Handler, HttpError, Request, Response
from moldau.programs.http.routes import Router

__all__ = ["SessionRouter"]

SESSIONS_MAX: Final = 1000
"""Of each kind: with more the oldest is forgotten, and has to log in again."""
LOGIN_MS: Final = 600_000
"""As long as a login at the provider may take."""
SESSION_MS: Final = 8 * 3_600_000
"""Where the provider does not say how long its token holds."""
SECRET_BYTES: Final = 32
UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403
COOKIE_LETTERS_MAX: Final = 4096


_Kept = TypeVar("_Kept")


class _Begun(NamedTuple):
    binding: str
    nonce: str
    verifier: str
    to: str
    until_ms: float


class _Session(NamedTuple):
    access_token: str
    until_ms: float


class SessionRouter(Router):
    """Around the routes of users who show tokens."""

    def __init__(self, inner: Router, provider: OidcProvider, clock: Clock, random: Random) -> None:
        super().__init__(())
        self._inner = inner
        self._provider = provider
        self._clock = clock
        self._random = random
        self._begun: dict[str, _Begun] = {}
        self._sessions: dict[str, _Session] = {}
        is_secure = provider.settings.is_secure
        self._secure = "; Secure" if is_secure else ""
        prefix = "__Host-" if is_secure else ""
        self._session_cookie, self._login_cookie = f"{prefix}session", f"{prefix}login"

    def find(self, method: str, path: str) -> tuple[Handler, Mapping[str, str]]:
        own: dict[tuple[str, str], Handler] = {
            ("GET", "/login"): self._begin,
            ("GET", CALLBACK): self._finish,
            ("POST", "/api/logout"): self._log_out,
        }
        return own.get((method, path), self._answer), {}

    async def _begin(self, request: Request) -> Response:
        state, nonce, verifier, binding = (self._secret() for _ in range(4))
        url = await self._provider.login_url(state, nonce, verifier)
        until_ms = self._clock.now_ms() + LOGIN_MS
        to = _page(request.one("to") or "/ui")
        _keep(self._begun, state, _Begun(binding, nonce, verifier, to, until_ms))
        cookie = self._cookie(self._login_cookie, binding, LOGIN_MS)
        return Response(status=302, headers={"Location": url, "Set-Cookie": cookie})

    async def _finish(self, request: Request) -> Response:
        """The state is good once, in the browser that began with it."""
        begun = self._begun.pop(request.one("state") or "", None)
        binding = _cookies(request).get(self._login_cookie, "")
        if begun is None or self._clock.now_ms() >= begun.until_ms:
            raise HttpError(FORBIDDEN, "This login is over, or was never begun: open /login again")
        if not compare_digest(begun.binding.encode(), binding.encode()):
            raise HttpError(FORBIDDEN, "This login was begun in another browser: open /login again")
        issuer, code = request.one("iss"), request.one("code")
        if issuer is not None and issuer != self._provider.settings.issuer:
            raise HttpError(FORBIDDEN, "The answer to this login is by another identity provider")
        if not code:
            raise HttpError(FORBIDDEN, "The identity provider has refused the login")
        granted = await self._provider.granted(code, begun.nonce, begun.verifier)
        now_ms, session_id = self._clock.now_ms(), self._secret()
        until_ms = now_ms + SESSION_MS if granted.ends_ms is None else granted.ends_ms
        _keep(self._sessions, session_id, _Session(granted.access_token, until_ms))
        cookie = self._cookie(self._session_cookie, session_id, until_ms - now_ms)
        return Response(status=302, headers={"Location": begun.to, "Set-Cookie": cookie})

    def _log_out(self, request: Request) -> Response:
        self._forget(request)
        return Response(
            status=204, headers={"Set-Cookie": self._cookie(self._session_cookie, "", 0)}
        )

    async def _answer(self, request: Request) -> Response:
        if "authorization" in request.headers:
            return await self._inner_answer(request)
        session = self._session(request)
        if session is None:
            return _without_session(request)
        bearer = {"authorization": f"Bearer {session.access_token}"}
        request.headers = {**request.headers, **bearer}

        async def ensure() -> None:
            if self._session(request) is not session:
                raise HttpError(UNAUTHORIZED, "The login is over")

        try:
            response = await self._inner_answer(request)
        except HttpError as error:
            if error.status != UNAUTHORIZED:
                raise
            return _refused(error)
        if response.pieces is not None:
            response.pieces = held_pieces(response.pieces, ensure)
        return response

    async def _inner_answer(self, request: Request) -> Response:
        handler, request.parameters = self._inner.find(request.method, request.path)
        answer = handler(request)
        return answer if isinstance(answer, Response) else await answer

    def _forget(self, request: Request) -> None:
        self._sessions.pop(_cookies(request).get(self._session_cookie, ""), None)

    def _session(self, request: Request) -> _Session | None:
        session_id = _cookies(request).get(self._session_cookie, "")
        found = self._sessions.get(session_id)
        if found is not None and self._clock.now_ms() >= found.until_ms:
            del self._sessions[session_id]
            return None
        return found

    def _secret(self) -> str:
        return urlsafe_b64encode(self._random.randbytes(SECRET_BYTES)).rstrip(b"=").decode()

    def _cookie(self, name: str, value: str, lifetime_ms: float) -> str:
        """Lax: the browser comes back from the provider's site, and links lead to pages."""
        age_s = max(int(lifetime_ms / 1000), 0)
        return f"{name}={value}; Path=/; Max-Age={age_s}; HttpOnly; SameSite=Lax{self._secure}"


def _without_session(request: Request) -> Response:
    """A page leads to the login; a script of a page gets the status that one is needed."""
    is_page = request.path == "/" or request.path == "/ui" or request.path.startswith("/ui/")
    if request.method == "GET" and is_page:
        query = "&".join(f"{quote(n)}={quote(t)}" for n, ts in request.query.items() for t in ts)
        to = request.path + (f"?{query}" if query else "")
        return Response(status=302, headers={"Location": f"/login?to={quote(to, safe='')}"})
    return _sentence(UNAUTHORIZED, "There is no login, or it is over: open /login")


def _refused(error: HttpError) -> Response:
    """A 401 would have the browser ask for a password, or would lead to the same token again.

    The session stays, since another cluster may take its token.
    """
    return _sentence(FORBIDDEN, f"Your login is refused: {error}")


def _sentence(status: int, message: str) -> Response:
    """With the place where a user logs in anew."""
    body = dumps({"error_code": status, "message": message}).encode()
    return Response(body, status=status, headers={"X-Moldau-Login": "/login"})


def _page(to: str) -> str:
    """A page of the console, and no other place."""
    is_ours = to == "/ui" or to.startswith(("/ui/", "/ui?"))
    return quote(to, safe="/?&=%:+,;@!$'()*~#-._") if is_ours else "/ui"


def _cookies(request: Request) -> dict[str, str]:
    pairs = request.headers.get("cookie", "")[:COOKIE_LETTERS_MAX].split(";")
    named = (pair.strip().partition("=") for pair in pairs)
    return {name: value for name, equals, value in named if equals}


def _keep(held: dict[str, _Kept], name: str, value: _Kept) -> None:
    if len(held) >= SESSIONS_MAX:
        del held[next(iter(held))]
    held[name] = value
