"""Where a reading that has failed goes on."""

from __future__ import annotations

import pytest

from moldau.client.core.consuming.recovery import RETRY_MS, recover
from moldau.client.errors import (
    AccessDeniedError,
    LogTruncatedError,
    OffsetGoneError,
    UnknownTopicError,
)
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from tests.client.answers import metadata, offsets
from tests.client.conversation import Conversation, context

PART = TopicPartition("t", 0)
GONE = OffsetGoneError(PART, 3, 7, 20)
TRUNCATED = LogTruncatedError(PART, 20, 15)
UNKNOWN = UnknownTopicError("t", "is not there")
ANOTHER = UnknownTopicError("t", "was made again", is_another=True)


def recovering(error, reset="earliest", *, is_assigned_by_group=True):
    settings = ConsumerSettings.of({"bootstrap.servers": "b1:9092", "auto.offset.reset": reset})
    return Conversation(
        recover(context(), settings, PART, error, 0, 0, is_assigned_by_group=is_assigned_by_group)
    )


@pytest.mark.parametrize("error", [GONE, ANOTHER])
def test_an_offset_that_is_gone_goes_on_where_the_policy_says(error):
    talk = recovering(error).receives(metadata({"t": {0: (1, 3)}})).receives(offsets({PART: 7}))
    assert talk.result == 7


def test_a_log_that_lost_what_was_read_goes_on_at_its_end():
    assert recovering(TRUNCATED).result == 15


@pytest.mark.parametrize("error", [GONE, TRUNCATED, ANOTHER])
def test_without_a_policy_it_is_for_the_program_to_decide(error):
    with pytest.raises(type(error)):
        recovering(error, "none")


def test_a_topic_that_is_gone_is_the_groups_to_take_away():
    talk = recovering(UNKNOWN)
    assert talk.rests().result is None
    assert talk.paused_ms == [RETRY_MS]


def test_a_topic_that_was_assigned_by_hand_is_an_error_where_it_is_gone():
    with pytest.raises(UnknownTopicError):
        recovering(UNKNOWN, is_assigned_by_group=False)


def test_what_cannot_be_mended_is_raised():
    with pytest.raises(AccessDeniedError):
        recovering(AccessDeniedError("topic t", "READ on it"))
