"""The ports of a client, together."""

from __future__ import annotations

from tests.client.aio.scripted_broker import Town, in_town


def test_time_is_reported_in_milliseconds_of_the_hand_that_never_turns_back():
    async def main(town: Town):
        before_ms = town.world.now_ms()
        await town.tasks.sleep(250)
        return town.world.now_ms() - before_ms

    assert in_town(main) == 250
