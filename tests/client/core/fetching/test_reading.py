"""One partition that is read."""

from __future__ import annotations

from moldau.client.core.fetching.reading import Reading
from moldau.client.topic_partition import TopicPartition

PART = TopicPartition("t", 0)


def test_a_reading_is_done_when_its_position_has_come_to_the_end():
    reading = Reading(PART, 5, 7, 1000)
    states = [reading.is_done]
    reading.position = 8
    assert [*states, reading.is_done] == [False, True]
    assert Reading(PART, 5, 5, 1000).is_done


def test_a_reading_that_is_wanted_and_waits_for_nothing_is_idle():
    reading = Reading(PART, 5, 7, 1000)
    states = [reading.is_idle]
    reading.is_wanted = True
    states.append(reading.is_idle)
    reading.node_id = 1
    states.append(reading.is_idle)
    reading.node_id, reading.waits_for_range = None, True
    states.append(reading.is_idle)
    assert states == [False, True, False, False]


def test_it_asks_from_its_position_with_the_epoch_of_what_was_read():
    reading = Reading(PART, 5, 7, 1000)
    reading.last_epoch = 3
    assert reading.ask(4) == ("t", 5, 1000, 4, 3)
    assert str(reading) == "<Reading t-0 at 5 of 7>"


def test_it_is_at_the_end_that_the_last_answer_named():
    reading = Reading(PART, 5, 9, 1000)
    states = [reading.is_at_end]
    for reading.known_end in (0, 5, 6):
        states.append(reading.is_at_end)
    assert states == [False, True, True, False]
