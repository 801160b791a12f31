"""Whether a client takes what a route answers with (RFC 9110, 12.5.1); 406 where it does not.

The order and the weights in `Accept` mean nothing here: a route has one answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection

from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route

__all__ = ["accepting", "takes"]


def accepting(route: Route, kinds: Collection[str]) -> Route:
    """The route for clients that accept one of these media types."""
    handler = route.handler

    def answer(request: Request) -> Response | Awaitable[Response]:
        accepted = request.headers.get("accept")
        if accepted is not None and not takes(accepted, kinds):
            raise HttpError(406, "HTTP 406 Not Acceptable")
        return handler(request)

    return Route(route.method, route.pattern, answer)


def takes(accepted: str, kinds: Collection[str]) -> bool:
    """By the header, which may have `*` for the half of a type or for all of it."""
    if "*/*" in accepted or not accepted.strip():
        return True
    names = {part.partition(";")[0].strip().lower() for part in accepted.split(",")}
    return any(kind in names or f"{kind.partition('/')[0]}/*" in names for kind in kinds)
