"""Names are looked up beside the loop, which does not wait for what it needs no more."""

from __future__ import annotations

import asyncio
import threading

import pytest

from moldau.errors import HostUnknownError
from moldau.platform.ports.network import Address
from moldau.platform.system import look_ups, places
from moldau.platform.system.look_ups import LOOK_UPS_MAX, LookUps

SLOW = Address("slow.example", 9092)
HERE = [(2, ("127.0.0.1", 9092))]
WAIT_S = 60


@pytest.fixture
def resolver(monkeypatch):
    """It answers when it is let: two semaphores, of those who ask and those who are answered."""
    asked, answered = threading.Semaphore(0), threading.Semaphore(0)

    def slow(_address):
        asked.release()
        assert answered.acquire(timeout=WAIT_S)
        return HERE

    monkeypatch.setattr(look_ups, "places_of", slow)
    yield asked, answered
    answered.release(2 * LOOK_UPS_MAX)
    for thread in look_ups_running():
        thread.join()


def look_ups_running():
    return [thread for thread in threading.enumerate() if thread.name == "look-up"]


def test_a_name_has_its_places():
    found = asyncio.run(_once(Address("localhost", 9092)))
    assert found == places.places_of(Address("localhost", 9092))


def test_what_fails_is_raised_where_it_is_awaited():
    with pytest.raises(HostUnknownError, match="no host can have"):
        asyncio.run(_once(Address("a..b", 9092)))


def test_digits_are_not_looked_up(resolver):
    assert asyncio.run(_once(Address("127.0.0.1", 9092))) == HERE


def test_the_end_of_a_loop_does_not_wait_for_a_name(resolver):
    asked, _ = resolver

    async def main():
        waiting = asyncio.create_task(LookUps().places_of(SLOW))
        assert await asyncio.to_thread(asked.acquire, timeout=WAIT_S)
        waiting.cancel()

    asyncio.run(main())
    assert len(look_ups_running()) == 1


def test_no_more_threads_than_allowed_are_at_it_also_where_they_were_left_behind(resolver):
    asked, answered = resolver

    async def main():
        here = LookUps()
        left = [asyncio.create_task(here.places_of(SLOW)) for _ in range(LOOK_UPS_MAX)]
        for _ in left:
            assert await asyncio.to_thread(asked.acquire, timeout=WAIT_S)
        for waiting in left:
            waiting.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        last = asyncio.create_task(here.places_of(SLOW))
        await asyncio.sleep(0)
        assert len(look_ups_running()) == LOOK_UPS_MAX
        answered.release(LOOK_UPS_MAX + 1)
        return await last

    assert asyncio.run(main()) == HERE


async def _once(address):
    return await LookUps().places_of(address)
