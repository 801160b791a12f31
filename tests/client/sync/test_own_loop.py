"""A loop in the background with the world of one client on it."""

from __future__ import annotations

import pytest

from moldau.client.errors import CallBackError, ClosedError
from moldau.client.sync.own_loop import OwnLoop
from moldau.platform.system.kerberos import SystemKerberos


async def answer() -> int:
    return 42


async def nothing() -> None: ...


def test_calls_run_there_until_it_is_closed():
    loop = OwnLoop("tests-loop", "the thing")
    assert loop.call(answer) == 42
    loop.close(nothing)
    loop.close(nothing)
    with pytest.raises(ClosedError, match="the thing is closed"):
        loop.call(answer)


def test_what_the_last_thing_raises_is_raised_when_all_has_ended():
    async def fail() -> None:
        raise ValueError("last")

    loop = OwnLoop("tests-loop", "the thing")
    background = loop.background
    with pytest.raises(ValueError, match="last"):
        loop.close(fail)
    assert not background.is_running


def test_clients_on_it_may_log_in_by_kerberos():
    loop = OwnLoop("tests-loop", "the thing")
    assert isinstance(loop.world.kerberos, SystemKerberos)
    loop.close(nothing)


def test_what_runs_there_cannot_wait_for_it():
    loop = OwnLoop("tests-loop", "the thing")

    async def wait_there() -> None:
        for wait in (
            lambda: loop.call(answer),
            lambda: loop.wait_for(lambda done: done(), None, lambda done: False),
            lambda: loop.close(nothing),
        ):
            with pytest.raises(CallBackError, match="the thing cannot wait in a call-back"):
                wait()

    loop.call(wait_there)
    assert loop.call(answer) == 42
    loop.close(nothing)
