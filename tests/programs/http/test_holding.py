"""What goes on ends with what it depends on; by the clock in tests of the login router."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from moldau.programs.http.holding import held_pieces, held_response
from moldau.programs.http.messages import HttpError, Response


def test_what_is_left_early_is_put_away():
    is_away = []

    async def pieces():
        try:
            for piece in (b"a", b"b", b"c"):
                yield piece
        finally:
            is_away.append(True)

    async def ensure():
        if seen == [b"a", b"b"]:
            raise HttpError(401, "over")

    async def main():
        held = held_pieces(pieces(), ensure)
        seen.append(await anext(held))
        seen.append(await anext(held))
        with pytest.raises(HttpError, match="over"):
            await anext(held)

    seen: list[bytes] = []
    asyncio.run(main())
    assert (seen, is_away) == ([b"a", b"b"], [True])


def test_a_response_that_is_whole_stays_as_it_is():
    nothing: Any = None
    response = Response(b"whole")
    assert held_response(response, nothing, nothing, nothing) == Response(b"whole")
