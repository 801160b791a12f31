"""A request that comes again with its key is answered as the first time, and done once."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest import idempotency
from moldau.programs.rest.idempotency import KEPT_NS, KEY_MAX, AnsweredOnce


class World:
    """A handler that counts, behind what answers once."""

    def __init__(self, tasks, clock):
        self.tasks = tasks
        self.once = AnsweredOnce(tasks, clock)
        self.done = 0
        self.failure: Any = None
        self._handler = self.once.wrap(Route("POST", "/", self.handle)).handler

    async def handle(self, request):
        self.done += 1
        number = self.done
        await self.tasks.sleep(10)
        if isinstance(self.failure, Exception):
            raise self.failure
        return Response(b"%d" % number, self.failure or 200)

    async def ask(self, key: str | None = "k", body=b"x", path="/topics/t", **more):
        headers = {} if key is None else {"idempotency-key": key}
        answer: Any = self._handler(Request("POST", path, headers=headers, body=body, **more))
        try:
            response = await answer
        except HttpError as error:
            return error.status
        return response.body, "Idempotent-Replayed" in response.headers


def played(scenario):
    clock = SimulatedClock()
    return run(lambda tasks: scenario(World(tasks, clock), clock), clock)


FIRST, AGAIN = (b"1", False), (b"1", True)


def test_the_same_key_gets_the_same_answer_and_others_their_own():
    async def scenario(world, clock):
        same = [await world.ask(), await world.ask()]
        others = [await world.ask("l"), await world.ask(path="/topics/u"), await world.ask(None)]
        return same, others, await world.ask(None)

    same, others, without = played(scenario)
    assert same == [FIRST, AGAIN]
    assert others == [(b"2", False), (b"3", False), (b"4", False)]
    assert without == (b"5", False)


def test_another_body_under_a_key_is_refused():
    async def scenario(world, clock):
        return [await world.ask(), await world.ask(body=b"y"), await world.ask()], world.done

    assert played(scenario) == ([FIRST, 422, AGAIN], 1)


def test_one_that_comes_while_the_first_is_under_way_waits_for_it():
    async def scenario(world, clock):
        found = []

        async def ask():
            found.append(await world.ask())

        for _ in range(3):
            world.tasks.spawn("ask", ask())
        await world.tasks.sleep(100)
        return sorted(found), world.done

    assert played(scenario) == ([FIRST, AGAIN, AGAIN], 1)


@pytest.mark.parametrize("failure", [HttpError(503, "later"), HttpError(400, "no"), 500])
def test_what_failed_as_a_whole_may_be_tried_again(failure):
    async def scenario(world, clock):
        world.failure = failure
        await world.ask()
        world.failure = None
        return await world.ask(), await world.ask()

    assert played(scenario) == ((b"2", False), (b"2", True))


def test_what_is_kept_is_bounded_and_ends(monkeypatch):
    monkeypatch.setattr(idempotency, "KEPT_MAX", 3)

    async def scenario(world, clock):
        for number in range(5):
            await world.ask(f"k{number}")
        kept = len(world.once)
        old, new = await world.ask("k0"), await world.ask("k4")
        await world.tasks.sleep(KEPT_NS / 1_000_000)
        return kept, old, new, await world.ask("k4")

    assert played(scenario) == (3, (b"6", False), (b"5", True), (b"7", False))


def test_large_answers_make_room(monkeypatch):
    monkeypatch.setattr(idempotency, "BYTES_MAX", 2)

    async def scenario(world, clock):
        for number in range(4):
            await world.ask(f"k{number}")
        return len(world.once)

    assert played(scenario) == 2


def test_pieces_are_kept_whole():
    async def pieces():
        yield b"a"
        yield b"b"

    async def scenario(world, clock):
        handler = world.once.wrap(Route("POST", "/", lambda _: Response(pieces=pieces()))).handler
        request = Request("POST", "/", headers={"idempotency-key": "k"})
        first: Any = handler(request)
        again: Any = handler(request)
        return (await first).body, (await again).body

    assert played(scenario) == (b"ab", b"ab")


@pytest.mark.parametrize("key", ["", "x" * (KEY_MAX + 1)])
def test_what_is_no_key_is_refused(key):
    async def scenario(world, clock):
        return await world.ask(key)

    assert played(scenario) == 400


def test_a_body_without_an_end_has_no_key():
    async def body():
        yield b"x"

    async def scenario(world, clock):
        return await world.ask(stream=body())

    assert played(scenario) == 400
