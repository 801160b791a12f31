"""Requests that are answered once: `Idempotency-Key` makes a POST safe to send again.

A client that has lost the answer sends the same request with the same key, and gets the same
answer, without any record being sent again. A key is of its user, its method and its path. One that
comes again while the first request is under way waits for that one; one with another body is
refused.

What is kept is bounded by count, by bytes and by time, and ends with the program. A request that
failed as a whole is not kept: it may be tried again with the same key.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from hashlib import sha256
from typing import Final

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.programs.http.messages import Handler, HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.refusals import bad_request

__all__ = ["AnsweredOnce"]

HEADER: Final = "idempotency-key"
KEY_MAX: Final = 255
"""Characters; a UUID has 36."""
KEPT_MAX: Final = 10_000
BYTES_MAX: Final = 16 * 1024 * 1024
"""Of answers that are kept."""
KEPT_NS: Final = 3600 * 1_000_000_000
"""An hour: far beyond any time after which a request is sent again."""
FAILED: Final = 500
UNPROCESSABLE: Final = 422
REPLAYED: Final = {"Idempotent-Replayed": "true"}


class _Kept:
    """One request, and the answer that it gets; None until then, and where it failed."""

    __slots__ = ("answer", "at_ns", "digest", "is_over", "waiting")

    def __init__(self, digest: bytes, at_ns: int) -> None:
        self.digest = digest
        self.at_ns = at_ns
        self.answer: Response | None = None
        self.is_over = False
        self.waiting: list[Promise[None]] = []

    def end(self, answer: Response | None) -> None:
        self.answer, self.is_over = answer, True
        for promise in self.waiting:
            if not promise.is_settled():
                promise.keep(None)


class AnsweredOnce:
    """The answers to one user's idempotent requests."""

    def __init__(self, tasks: Tasks, clock: Clock) -> None:
        self._tasks = tasks
        self._clock = clock
        self._kept: dict[str, _Kept] = {}
        self._sizes: dict[str, int] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def wrap(self, route: Route) -> Route:
        """The same route for requests that may come again."""
        return Route(route.method, route.pattern, self._wrapped(route.handler))

    def _wrapped(self, handler: Handler) -> Handler:
        def answer(request: Request) -> Response | Awaitable[Response]:
            if HEADER not in request.headers:
                return handler(request)
            return self._once(handler, request)

        return answer

    async def _once(self, handler: Handler, request: Request) -> Response:
        place, digest = _place(request), sha256(request.body).digest()
        while (kept := self._found(place)) is not None:
            if kept.digest != digest:
                text = "this Idempotency-Key was used for another body: take a new one"
                raise HttpError(UNPROCESSABLE, text)
            if not kept.is_over:
                kept.waiting.append(self._tasks.promise())
                await kept.waiting[-1].wait()
            if kept.answer is not None:
                known = kept.answer
                headers = {**known.headers, **REPLAYED}
                return Response(known.body, known.status, known.media_type, headers)
        kept = self._kept[place] = _Kept(digest, self._clock.monotonic_ns())
        response: Response | None = None
        try:
            response = await _whole(handler, request)
        finally:
            is_fine = response is not None and response.status < FAILED
            self._end(place, kept, response if is_fine else None)
        return response

    def _found(self, place: str) -> _Kept | None:
        kept = self._kept.get(place)
        if kept is None or not kept.is_over:
            return kept
        if self._clock.monotonic_ns() - kept.at_ns < KEPT_NS:
            return kept
        self._forget(place)
        return None

    def _end(self, place: str, kept: _Kept, response: Response | None) -> None:
        if response is None:
            self._forget(place)
        else:
            self._sizes[place] = len(response.body)
            self._bytes += len(response.body)
        kept.end(None if response is None else replace(response))
        while len(self._sizes) > KEPT_MAX or self._bytes > BYTES_MAX:
            self._forget(next(iter(self._sizes)))

    def _forget(self, place: str) -> None:
        self._kept.pop(place, None)
        self._bytes -= self._sizes.pop(place, 0)


def _place(request: Request) -> str:
    key = request.headers[HEADER]
    if not 0 < len(key) <= KEY_MAX:
        raise bad_request(f"Idempotency-Key has 1 to {KEY_MAX} characters")
    if request.stream is not None:
        raise bad_request("Idempotency-Key is for requests with a Content-Length")
    return f"{request.method} {request.path} {key}"


async def _whole(
    handler: Callable[[Request], Response | Awaitable[Response]], request: Request
) -> Response:
    """With its pieces in one."""
    found = handler(request)
    response = found if isinstance(found, Response) else await found
    if response.pieces is not None:
        pieces = [piece async for piece in response.pieces]
        response.body, response.pieces = b"".join(pieces), None
    return response
