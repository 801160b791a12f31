"""Instances that are forgotten end, and those in use do not."""

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import run
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.v2.instances import Instances

NOWHERE = {"bootstrap.servers": "127.0.0.1:1", "group.id": "g"}


def test_one_that_no_request_touches_ends_but_not_while_it_is_used():
    async def main(tasks):
        known = Instances(tasks, SystemClock(), SystemRandom(), idle_ms_max=1, look_ms=5)
        known.create("g", known.drawn_name(), "json", NOWHERE)
        kept = known.create("g", "kept", "json", NOWHERE)
        async with known.using("g", "kept") as used:
            while len(known) > 1:
                await tasks.sleep(5)
            assert used is kept
        while len(known):
            await tasks.sleep(5)
        with pytest.raises(HttpError) as error:
            await known.delete("g", "kept")
        await known.close()
        return error.value.code

    assert run(main) == 40403


def test_a_name_is_given_once_in_a_group():
    async def main(tasks):
        known = Instances(tasks, SystemClock(), SystemRandom())
        known.create("g", "a", "json", NOWHERE)
        known.create("h", "a", "json", NOWHERE)
        with pytest.raises(HttpError) as error:
            known.create("g", "a", "json", NOWHERE)
        await known.close()
        return error.value.code, len(known)

    assert run(main) == (40902, 0)
