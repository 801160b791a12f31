"""Where to begin."""

from __future__ import annotations

import pytest

from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.consuming.beginnings import (
    find_beginnings,
    look_up,
    reset_time,
)
from moldau.client.core.context import ClientContext
from moldau.client.core.offset_lookups import EARLIEST, LATEST, Isolation
from moldau.client.errors import NoOffsetError
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.config.refusals import InvalidSettingError
from tests.client.answers import metadata, offsets
from tests.client.conversation import Conversation, context

PART = TopicPartition("t", 0)


def settings_of(reset: str) -> ConsumerSettings:
    return ConsumerSettings.of({"bootstrap.servers": "b1:9092", "auto.offset.reset": reset})


def around() -> ClientContext:
    made = context()
    made.cluster.apply_metadata(metadata({"t": {0: (1, 3)}}), 0)
    return made


def test_each_policy_has_its_place():
    assert reset_time(settings_of("earliest"), PART, 0) == EARLIEST
    assert reset_time(settings_of("Latest"), PART, 0) == LATEST
    assert reset_time(settings_of("by_duration:PT1M"), PART, 100_000) == 40_000
    with pytest.raises(NoOffsetError, match="seek"):
        reset_time(settings_of("none"), PART, 0)


@pytest.mark.parametrize(
    ("text", "duration"),
    [("PT1H30M", 5_400_000), ("P2D", 172_800_000), ("PT0.5S", 500), ("p1dt1s", 86_401_000)],
)
def test_durations_are_javas(text, duration):
    settings = settings_of(f"by_duration:{text}")
    assert reset_time(settings, PART, 10 * duration) == 9 * duration


@pytest.mark.parametrize("text", ["", "P", "1H", "PT-1H"])
def test_what_is_no_duration_is_refused(text):
    with pytest.raises(InvalidSettingError):
        settings_of(f"by_duration:{text}")


def test_without_a_group_the_policy_decides():
    talk = Conversation(find_beginnings(around(), settings_of("earliest"), {PART: None}, 0, 0))
    assert talk.receives(offsets({PART: 12})).result == {PART: CommittedOffset(12)}


def test_where_no_record_is_that_late_it_is_the_end():
    talk = Conversation(look_up(around(), {PART: 5}, Isolation.READ_UNCOMMITTED, 0))
    assert talk.receives(offsets({PART: -1})).receives(offsets({PART: 40})).result == {PART: 40}
