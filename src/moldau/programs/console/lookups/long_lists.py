"""Answers with a long list, in slices: a node that serves the console serves others, too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

from moldau.platform.slices import Pace
from moldau.programs.console.reach import Reach
from moldau.programs.http.json_bodies import json_bytes
from moldau.programs.http.messages import Response
from moldau.programs.rest.bodies import MEDIA_TYPE

__all__ = ["list_in_slices", "reply_in_slices"]

ROWS: Final = 250
"""Written at once: half a millisecond."""


async def reply_in_slices(
    reach: Reach, name: str, rows: Iterable[object], rest: Mapping[str, object]
) -> Response:
    """An object with `rows` by this name, and with the fields of `rest`."""
    head, tail = json_bytes({name: None})[:-5], json_bytes(dict(rest))[1:]
    comma = b"," if rest else b""
    written = await _written(reach, rows)
    return Response(b"".join((head, written, comma, tail)), 200, MEDIA_TYPE)


async def list_in_slices(reach: Reach, rows: Iterable[object]) -> Response:
    """The rows alone."""
    return Response(await _written(reach, rows), 200, MEDIA_TYPE)


async def _written(reach: Reach, rows: Iterable[object]) -> bytes:
    pace = Pace(reach.clock, reach.tasks)
    pieces: list[bytes] = []
    left = iter(rows)
    while some := list(islice(left, ROWS)):
        pieces.append(json_bytes(some)[1:-1])
        if pace.is_over:
            await pace.rest()
    return b"".join((b"[", b",".join(pieces), b"]"))
