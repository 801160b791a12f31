"""Where a group begins that was told to begin somewhere."""

from __future__ import annotations

import pytest

from moldau.broker.runtime.share_start import duration_ms, first_offset
from tests.broker.server.share_town import run


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("PT1H", 3_600_000), ("P2DT3M", 172_980_000), ("PT1.5S", 1_500), ("an hour", 0)],
)
def test_durations_are_read_as_java_reads_them(text, milliseconds):
    assert duration_ms(text) == milliseconds


def test_a_group_begins_at_the_start_at_the_end_or_at_a_time():
    async def main(town):
        await town.produce(3)
        await town.play.tasks.sleep(60_000)
        await town.produce(3)
        partition = town.node.broker.replicas.leader("t", 0)
        now_ms = town.play.clock.now_ms()
        places = ("earliest", "latest", "by_duration:PT30S", "by_duration:P1D")
        return [first_offset(partition, reset, now_ms + 5) for reset in places]

    assert run(main) == [0, 6, 3, 0]


def test_where_nothing_is_young_enough_a_group_begins_at_the_end():
    async def main(town):
        await town.produce(3)
        partition = town.node.broker.replicas.leader("t", 0)
        return first_offset(partition, "by_duration:PT1S", town.play.clock.now_ms() + 60_000)

    assert run(main) == 3
