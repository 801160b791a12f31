"""What every request passes: its host, its origin, and the headers that each response bears.

A page of another site may make a browser send requests here. A change therefore needs a header that
such a page cannot send without being asked first (it never is), and an origin, where the browser
names one, that is this one. Without logins a console on loopback answers only under names of
loopback, so that no name that somewhere leads to 127.0.0.1 makes it readable (DNS rebinding).
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Final

from moldau.programs.http.front import Front
from moldau.programs.http.messages import Handler, HttpError, PathError, Request, Response
from moldau.programs.http.routes import Router

__all__ = ["HEADERS", "GuardedFront", "GuardedRouter", "ensure_same_site"]

OUR_HEADER: Final = "x-moldau-console"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
NO_STORE: Final = {"Cache-Control": "no-store"}
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
NOTHING: Final = "Nothing is at this address: /api/openapi.json names all that there is"
SAME: Final = ("same-origin", "none")


class GuardedRouter(Router):
    """Around the routes of all users."""

    def __init__(self, inner: Router, *, only_loopback: bool) -> None:
        super().__init__(())
        self._inner = inner
        self._only_loopback = only_loopback

    def find(self, method: str, path: str) -> tuple[Handler, Mapping[str, str]]:
        try:
            handler, parameters = self._inner.find(method, path)
        except PathError:
            raise HttpError(404, NOTHING) from None

        def guarded(request: Request) -> Response | Awaitable[Response]:
            ensure_same_site(request, only_loopback=self._only_loopback)
            return handler(request)

        return guarded, parameters


class GuardedFront(Front):
    """Around all responses, refusals too."""

    def after(self, request: Request, response: Response) -> None:
        super().after(request, response)
        response.headers = {**HEADERS, **NO_STORE, **response.headers}


def ensure_same_site(request: Request, *, only_loopback: bool) -> None:
    """403 for what a page of another site could have made a browser send."""
    host = request.headers.get("host", "")
    if only_loopback and _name(host) not in LOOPBACK:
        raise HttpError(403, "This console answers at 127.0.0.1 and localhost alone")
    if request.method in ("GET", "HEAD"):
        return
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != host:
        raise HttpError(403, "A page of another origin cannot change anything here")
    if request.headers.get("sec-fetch-site", "same-origin") not in SAME:
        raise HttpError(403, "A page of another site cannot change anything here")
    if OUR_HEADER not in request.headers:
        raise HttpError(403, "A change needs the header X-Moldau-Console, with any value")


def _name(host: str) -> str:
    """Without the port; an address of IPv6 is in brackets."""
    return host.partition("]")[0].strip("[") if host.startswith("[") else host.partition(":")[0]
