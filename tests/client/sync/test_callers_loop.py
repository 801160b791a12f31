"""A client's loop in the thread of its caller."""

from __future__ import annotations

import pytest

from moldau.client.errors import ClosedError
from moldau.client.sync.callers_loop import CallersClientLoop


async def answer() -> int:
    return 42


async def nothing() -> None: ...


def test_calls_run_until_it_is_closed():
    loop = CallersClientLoop("the thing")
    assert loop.call(answer) == 42
    loop.close(nothing)
    loop.close(nothing)
    with pytest.raises(ClosedError, match="the thing is closed"):
        loop.call(answer)
