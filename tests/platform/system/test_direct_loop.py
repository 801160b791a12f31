"""A loop that calls readers itself keeps what asyncio promises."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from contextlib import ExitStack

import pytest

from moldau.platform.system.direct_loop import DirectLoop

BOTH_LOOPS = pytest.mark.parametrize("make_loop", [asyncio.SelectorEventLoop, DirectLoop])
TURNS = 3
"""More than it takes until all that is ready has been called."""
LATER_S = 10
"""A timer that a loop only meets if it waits where it should not."""


@pytest.fixture
def pairs():
    """Three connections; the first end of each is for the loop, and can read."""
    with ExitStack() as stack:
        made = [socket.socketpair() for _ in range(3)]
        for ours, theirs in made:
            stack.enter_context(ours)
            stack.enter_context(theirs)
            theirs.send(b"x")
        yield made


def run(make_loop, main):
    with asyncio.Runner(loop_factory=make_loop) as runner:
        return runner.run(main(runner.get_loop()))


async def some_turns():
    for _ in range(TURNS):
        await asyncio.sleep(0)


@BOTH_LOOPS
def test_each_that_can_read_is_called_and_called_again_while_it_can(make_loop, pairs):
    calls = []

    async def main(loop):
        for index, (ours, _) in enumerate(pairs):
            loop.add_reader(ours, lambda index=index: calls.append(index))
        await some_turns()
        pairs[0][0].recv(1)
        await some_turns()
        before = len(calls)
        await some_turns()
        return calls[before:]

    later = run(make_loop, main)
    assert set(calls) == {0, 1, 2}
    assert set(later) == {1, 2}


@BOTH_LOOPS
def test_a_reader_gets_its_arguments(make_loop, pairs):
    calls = []

    async def main(loop):
        loop.add_reader(pairs[0][0], lambda *words: calls.append(words), "a", "b")
        await some_turns()

    run(make_loop, main)
    assert ("a", "b") in calls


@BOTH_LOOPS
def test_the_newest_reader_of_a_descriptor_is_called(make_loop, pairs):
    calls: list[str] = []

    async def main(loop):
        loop.add_reader(pairs[0][0], calls.append, "old")
        loop.add_reader(pairs[0][0], lambda: calls.append("newer"))
        loop.add_reader(pairs[0][0], calls.append, "newest")
        await some_turns()

    run(make_loop, main)
    assert set(calls) == {"newest"}


@BOTH_LOOPS
def test_one_that_fails_is_reported_and_the_others_are_called(make_loop, pairs):
    calls, reports = [], []

    def fail():
        raise ValueError("a bug")

    async def main(loop):
        loop.set_exception_handler(lambda _, context: reports.append(context["exception"]))
        loop.add_reader(pairs[0][0], fail)
        loop.add_reader(pairs[1][0], lambda: calls.append(1))
        await some_turns()

    run(make_loop, main)
    assert calls
    assert {str(error) for error in reports} == {"a bug"}


@BOTH_LOOPS
def test_one_that_is_removed_by_another_is_not_called(make_loop, pairs):
    calls = []
    (first, _), (second, _), _ = pairs

    async def main(loop):
        def call(one, other):
            calls.append(one)
            loop.remove_reader(other)
            loop.remove_reader(one)

        loop.add_reader(first, lambda: call(first, second))
        loop.add_reader(second, lambda: call(second, first))
        await some_turns()

    run(make_loop, main)
    assert len(calls) == 1


@pytest.mark.parametrize("has_writer", [False, True])
def test_who_gets_the_descriptor_of_another_is_called_only_for_its_own_bytes(pairs, has_writer):
    calls = []
    (first, _), (second, _), (third, far) = pairs
    third.recv(1)
    descriptor = os.dup(second.fileno())

    def replace(loop):
        first.recv(1)
        loop.remove_reader(descriptor)
        loop.remove_writer(descriptor)
        os.dup2(third.fileno(), descriptor)
        loop.add_reader(descriptor, lambda: calls.append(os.read(descriptor, 1)))

    async def main(loop):
        loop.add_reader(first, lambda: replace(loop))
        loop.add_reader(descriptor, lambda: None)
        if has_writer:
            loop.add_writer(descriptor, lambda: None)
        await some_turns()
        assert calls == []
        far.send(b"y")
        await some_turns()
        loop.remove_reader(descriptor)

    try:
        run(DirectLoop, main)
    finally:
        os.close(descriptor)
    assert calls == [b"y"]


def test_the_outbox_is_open_only_while_several_are_called(pairs):
    seen = []

    async def main(loop):
        for ours, _ in pairs:
            loop.add_reader(
                ours, lambda ours=ours: seen.append((loop.outbox.is_open, ours.recv(1)))
            )
        await some_turns()
        pairs[0][1].send(b"y")
        await some_turns()
        return loop.outbox.is_open

    assert run(DirectLoop, main) is False
    assert seen == [(True, b"x")] * 3 + [(False, b"y")]


def test_in_debug_mode_asyncio_calls_and_sees_who_is_slow(pairs):
    seen = []

    async def main(loop):
        loop.set_debug(True)
        loop.add_reader(pairs[0][0], lambda: seen.append(loop._current_handle))
        await some_turns()

    run(DirectLoop, main)
    assert None not in seen


@BOTH_LOOPS
def test_who_wants_to_leave_the_program_leaves_it(make_loop, pairs):
    def leave():
        raise SystemExit(3)

    async def main(loop):
        loop.add_reader(pairs[0][0], leave)
        await asyncio.sleep(60)

    with pytest.raises(SystemExit):
        run(make_loop, main)


# What readers leave for the loop while the selector waits by itself.


@BOTH_LOOPS
@pytest.mark.parametrize("way", ["soon", "timer", "threadsafe"])
def test_what_a_reader_schedules_runs_though_nothing_else_happens(make_loop, pairs, way):
    happened = []

    async def main(loop):
        done = loop.create_future()

        def finish():
            happened.append("scheduled")
            done.set_result(None)

        actions = {
            "soon": lambda: loop.call_soon(finish),
            "timer": lambda: loop.call_later(0.001, finish),
            "threadsafe": lambda: loop.call_soon_threadsafe(finish),
        }

        def take():
            pairs[0][0].recv(1)
            actions[way]()

        loop.add_reader(pairs[0][0], take)
        loop.call_later(LATER_S, happened.append, "later")
        await done
        await some_turns()

    run(make_loop, main)
    assert happened == ["scheduled"]


@BOTH_LOOPS
def test_a_timer_comes_between_readers_that_never_rest(make_loop, pairs):
    ours, theirs = pairs[0]

    async def main(loop):
        def echo():
            theirs.send(ours.recv(1))

        loop.add_reader(ours, echo)
        await asyncio.sleep(0.01)
        return "woken"

    assert run(make_loop, main) == "woken"


@BOTH_LOOPS
def test_a_reader_that_stops_the_loop_ends_it(make_loop, pairs):
    loop = make_loop()
    later: list[str] = []
    try:
        loop.add_reader(pairs[0][0], lambda: (pairs[0][0].recv(1), loop.stop()))
        loop.call_later(LATER_S, later.append, "later")
        loop.run_forever()
    finally:
        loop.close()
    assert later == []


def test_a_quiet_connection_is_answered_without_turns_of_asyncio(pairs):
    ours, theirs = pairs[0]
    turns, echoes = [], []

    def count(frame, event, _):
        if event == "call" and frame.f_code.co_name == "_run_once":
            turns.append(1)

    async def main(loop):
        done = loop.create_future()

        def echo():
            echoes.append(ours.recv(1))
            if len(echoes) == 100:
                done.set_result(None)
            else:
                theirs.send(b"z")

        loop.add_reader(ours, echo)
        await done

    sys.setprofile(count)
    try:
        run(DirectLoop, main)
    finally:
        sys.setprofile(None)
    assert 0 < len(turns) < 20
