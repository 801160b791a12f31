"""What stands before the routes of a server: how often one may ask, and from which web pages.

A page of another origin may use a server only where that one names the origin (CORS). A browser
asks before it sends, without a login, so this is answered before any login is looked at. It does
not ask before it opens a WebSocket, nor before a POST that a form could send, and adds to both the
password or certificate that it keeps: so sockets, and what would change something, are refused here
to pages of another origin.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from moldau.platform.ports.clock import Clock
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.websocket.handshake import wants_socket

__all__ = ["Front", "Rates"]

NS_PER_S: Final = 1_000_000_000
KEYS_MAX: Final = 10_000
"""Addresses or users whose requests are counted; with more the oldest is forgotten."""
TOO_MANY: Final = 429
FORBIDDEN: Final = 403
ANY: Final = "*"
METHODS: Final = "GET, HEAD, POST, PUT, PATCH, DELETE"
READS: Final = ("GET", "HEAD", "OPTIONS")
FOREIGN: Final = (
    "a page of another origin may change nothing here, unless the server allows its origin"
)
SAME: Final = ("same-origin", "none")
UNASKED: Final = ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data")
"""Media types of a POST that a browser sends to any site without asking first."""
PREFLIGHT_S: Final = 600
NAMES: Final = re.compile(r"[A-Za-z0-9_, -]{1,1000}")
HEADERS: Final = "Authorization, Content-Type, Accept"
SHOWN: Final = "ETag, Retry-After"
"""Headers of responses that a page may read beside those that it always may."""


class Rates:
    """How many requests one address or user may send in a second; all of them may come at once."""

    def __init__(self, clock: Clock, per_second: float) -> None:
        self._clock = clock
        self._per_second = per_second
        self._left: dict[str, tuple[float, int]] = {}
        """How many may still come, as of a moment."""

    def take(self, key: str) -> None:
        """Count one request, or 429."""
        now_ns, most = self._clock.monotonic_ns(), max(1.0, self._per_second)
        left, at_ns = self._left.pop(key, (most, now_ns))
        left = min(most, left + (now_ns - at_ns) * self._per_second / NS_PER_S)
        is_allowed = left >= 1
        self._left[key] = left - is_allowed, now_ns
        if len(self._left) > KEYS_MAX:
            del self._left[next(iter(self._left))]
        if not is_allowed:
            raise HttpError(TOO_MANY, f"more than {self._per_second:g} requests a second; wait")


class Front:
    """What a server does before and after its routes."""

    def __init__(
        self,
        addresses: Rates | None = None,
        users: Rates | None = None,
        origins: Sequence[str] = (),
    ) -> None:
        """`origins` are those of pages, such as `https://shop.example`; `*` is any."""
        self._addresses = addresses
        self.users = users
        """Failed logins, counted by the backend that checks them."""
        self._origins = frozenset(origins)

    def before(self, request: Request) -> Response | None:
        """The response to what is no matter of the routes, or `HttpError`."""
        if self._is_preflight(request):
            return Response(status=204)
        if request.method not in READS and not self._may_change(request):
            raise HttpError(FORBIDDEN, FOREIGN)
        if self._addresses is not None:
            self._addresses.take(request.peer)
        if wants_socket(request):
            self._check_origin(request)
        return None

    def after(self, request: Request, response: Response) -> None:
        """Add what the response lacks: when to try again, and which pages may read it."""
        added: dict[str, str] = {}
        if response.status == TOO_MANY:
            added["Retry-After"] = "1"
        origin = request.headers.get("origin")
        if origin is not None and not self._origins.isdisjoint((origin, ANY)):
            added |= self._allowing(origin)
            added |= _preflight(request) if self._is_preflight(request) else {}
        if added:
            response.headers = {**response.headers, **added}

    def _check_origin(self, request: Request) -> None:
        origin = request.headers.get("origin")
        if origin is None or not self._origins.isdisjoint((origin, ANY)):
            return
        if origin.partition("://")[2] != request.headers.get("host"):
            raise HttpError(FORBIDDEN, f"pages of {origin} may not open sockets here")

    def _may_change(self, request: Request) -> bool:
        """Programs send no origin, browsers do with all that is no GET."""
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
        if origin in self._origins or site in SAME:
            return True
        if ANY in self._origins:  # without what the browser keeps, if it had to ask before
            return origin is None or request.method != "POST" or request.media_type not in UNASKED
        if site is not None:
            return False
        return origin is None or origin.partition("://")[2] == request.headers.get("host")

    def _is_preflight(self, request: Request) -> bool:
        return bool(self._origins) and (
            request.method == "OPTIONS" and "access-control-request-method" in request.headers
        )

    def _allowing(self, origin: str) -> dict[str, str]:
        shown = {"Access-Control-Expose-Headers": SHOWN}
        if origin not in self._origins:
            return {"Access-Control-Allow-Origin": ANY, **shown}
        return {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Credentials": "true",
            "Vary": "Origin",
            **shown,
        }


def _preflight(request: Request) -> dict[str, str]:
    asked = request.headers.get("access-control-request-headers", "")
    return {
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": asked if NAMES.fullmatch(asked) else HEADERS,
        "Access-Control-Max-Age": str(PREFLIGHT_S),
    }
