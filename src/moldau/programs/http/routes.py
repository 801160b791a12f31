"""Which function answers a request: by its method and its path.

A route is written as `/subjects/{subject}/versions/{version}`. A path is cut at its slashes before
anything in it is decoded, so that a name with a slash in it is one segment. Where a word and a
`{name}` would both do, the word does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import NamedTuple
from urllib.parse import unquote

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.http.messages import ALLOW, Handler, MethodError, PathError, Response

__all__ = ["Route", "Router"]


class Route(NamedTuple):
    """One line of a table of routes."""

    method: str
    pattern: str
    handler: Handler


@dataclass(slots=True)
class _Place:
    """One segment of patterns."""

    words: dict[str, _Place] = field(default_factory=dict)
    names: dict[str, _Place] = field(default_factory=dict)
    handlers: dict[str, Handler] = field(default_factory=dict)


class Router:
    """All routes of a server."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._root = _Place()
        for route in routes:
            place = self._root
            for segment in _segments(route.pattern):
                is_name = segment.startswith("{")
                branch = place.names if is_name else place.words
                place = branch.setdefault(segment.strip("{}"), _Place())
            assert route.method not in place.handlers, f"{route} is there twice"
            place.handlers[route.method] = route.handler

    def find(self, method: str, path: str) -> tuple[Handler, Mapping[str, str]]:
        """The handler and what the path has for its names; or 404, or 405.

        `OPTIONS` is answered with the methods that the path has.
        """
        found = list(_walk(self._root, _segments(path), {}))
        if not found:
            raise PathError
        wanted = "GET" if method == "HEAD" else method
        for place, names in found:
            if wanted in place.handlers:
                return place.handlers[wanted], names
        allowed = _allowed(one for place, _ in found for one in place.handlers)
        if method != "OPTIONS":
            raise MethodError(allowed)
        return lambda _request: Response(headers={ALLOW: allowed}), found[0][1]


def _allowed(methods: Iterable[str]) -> str:
    served = {*methods, "OPTIONS"}
    return ",".join(sorted(served | {"HEAD"} if "GET" in served else served))


def _segments(path: str) -> list[str]:
    bare = path.strip("/")
    return bare.split("/") if bare else []


def _walk(
    place: _Place, segments: list[str], names: dict[str, str]
) -> Iterable[tuple[_Place, dict[str, str]]]:
    if not segments:
        if place.handlers:
            yield place, names
        return
    first, *others = segments
    text = unquote(first)
    if text in place.words:
        yield from _walk(place.words[text], others, names)
    for name, below in place.names.items():
        yield from _walk(below, others, {**names, name: text})
