"""Rounds of fetches of a share group's member, as conversations."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.consuming.group_state import GroupState
from moldau.client.core.context import ClientContext
from moldau.client.core.sharing.held import AcknowledgeType
from moldau.client.core.sharing.share_reading import ShareReading
from moldau.client.errors import (
    InvalidArgumentError,
    RefusedError,
    UnreachableError,
    UnreadableRecordError,
)
from moldau.client.settings.share import ShareSettings
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.share.share_acknowledge import ShareAcknowledgeResponse
from moldau.protocol.messages.share.share_fetch import ShareFetchResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import TOPIC_ID, metadata
from tests.client.batches import data_batch
from tests.client.conversation import Conversation, context

ONE = TopicPartition("t", 0)
Topic = ShareFetchResponse.ShareFetchableTopicResponse
Sent = ShareAcknowledgeResponse.ShareAcknowledgeTopicResponse


def fetched(
    first: int | None = None, last: int = 0, records: bytes | None = None, **codes: int
) -> ShareFetchResponse:
    acquired = []
    if first is not None:
        acquired = [
            Topic.PartitionData.AcquiredRecords(
                first_offset=first, last_offset=last, delivery_count=1
            )
        ]
    row = Topic.PartitionData(
        partition_index=0,
        error_code=codes.get("part", 0),
        acknowledge_error_code=codes.get("acknowledge", 0),
        current_leader=Topic.PartitionData.LeaderIdAndEpoch(leader_id=-1, leader_epoch=-1),
        records=records or data_batch(first or 0, last - (first or 0) + 1),
        acquired_records=acquired,
    )
    return ShareFetchResponse(
        throttle_time_ms=0,
        error_code=codes.get("whole", 0),
        acquisition_lock_timeout_ms=30_000,
        responses=[Topic(topic_id=TOPIC_ID, partitions=[row])],
        node_endpoints=[],
    )


def sent(code: int = 0) -> ShareAcknowledgeResponse:
    row = Sent.PartitionData(
        partition_index=0,
        error_code=code,
        current_leader=Sent.PartitionData.LeaderIdAndEpoch(leader_id=-1, leader_epoch=-1),
    )
    return ShareAcknowledgeResponse(
        throttle_time_ms=0,
        error_code=0,
        responses=[Sent(topic_id=TOPIC_ID, partitions=[row])],
        node_endpoints=[],
    )


class Reader:
    """A member that has one partition, whose leader it knows."""

    def __init__(self) -> None:
        state = GroupState("g", None)
        state.owned, state.member_id = frozenset([ONE]), "m"
        settings = ShareSettings.of({"bootstrap.servers": "b1:9092", "group.id": "g"})
        self.context: ClientContext = context()
        self.context.cluster.apply_metadata(metadata({"t": {0: (1, 1)}}), 0)
        self.reading = ShareReading(self.context, settings, state)
        self.outcomes: Outcomes[TopicPartition, None] = Outcomes()

    def fetch(self) -> Any:
        return Conversation(self.reading.fetch(500, self.outcomes))

    def holding(self) -> Reader:
        """Offsets 0 and 1."""
        self.fetch().receives(fetched(0, 1))
        return self


def test_records_are_those_that_were_acquired():
    reader = Reader()
    talk = reader.fetch().receives(fetched(2, 3))
    assert [(record.offset, record.delivery_count) for record in talk.result] == [(2, 1), (3, 1)]
    assert reader.reading.lock_timeout_ms == 30_000


def spoiled(base_offset: int, count: int) -> bytes:
    """Its checksum is another batch's."""
    made = bytearray(data_batch(base_offset, count))
    made[-1] ^= 1
    return bytes(made)


def test_a_batch_whose_checksum_is_wrong_is_rejected_and_the_others_are_returned():
    reader = Reader()
    records = data_batch(0, 2) + spoiled(2, 3) + data_batch(5, 1)
    talk = reader.fetch().receives(fetched(1, 5, records))
    assert [record.offset for record in talk.result] == [1, 5]
    with pytest.raises(UnreadableRecordError, match=r"from offset 2 on.*were rejected"):
        reader.reading.raise_spoiled()
    reader.reading.raise_spoiled()  # once
    reader.reading.accept_all()
    (part,) = reader.fetch().asked[0][1].topics[0].partitions
    (batch,) = part.acknowledgement_batches
    assert (batch.first_offset, batch.last_offset) == (1, 5)
    assert batch.acknowledge_types == [1, 3, 3, 3, 1]


def test_of_a_batch_that_is_spoiled_only_what_was_acquired_is_rejected():
    reader = Reader()
    reader.fetch().receives(fetched(3, 4, spoiled(2, 5)))
    reader.reading.acknowledge(ONE, 4, AcknowledgeType.ACCEPT)  # the program knows better
    (part,) = reader.fetch().asked[0][1].topics[0].partitions
    assert part.acknowledgement_batches[0].first_offset == 3
    assert part.acknowledgement_batches[0].acknowledge_types == [3, 1]


def test_what_was_accepted_rides_along_with_the_next_fetch():
    reader = Reader().holding()
    reader.reading.accept_all()
    talk = reader.fetch()
    (part,) = talk.asked[0][1].topics[0].partitions
    assert part.acknowledgement_batches[0].last_offset == 1
    talk.receives(fetched())
    assert reader.outcomes.values == {ONE: None}


def test_a_refused_acknowledgement_is_an_outcome():
    reader = Reader().holding()
    reader.reading.accept_all()
    reader.fetch().receives(fetched(acknowledge=ErrorCode.INVALID_RECORD_STATE))
    assert list(reader.outcomes.errors) == [ONE]


def test_renewals_are_sent_before_and_returned_again():
    reader = Reader().holding()
    reader.reading.acknowledge(ONE, 0, AcknowledgeType.RENEW)
    reader.reading.acknowledge(ONE, 1, AcknowledgeType.ACCEPT)
    talk = reader.fetch()
    assert talk.asked[0][1].is_renew_ack
    assert talk.step.asks[0].oldest == 2
    talk.receives(sent())
    assert [record.offset for record in talk.result] == [0]


def test_what_was_renewed_by_a_commit_is_returned_by_the_next_poll():
    reader = Reader().holding()
    reader.reading.acknowledge(ONE, 0, AcknowledgeType.RENEW)
    reader.reading.acknowledge(ONE, 1, AcknowledgeType.ACCEPT)
    Conversation(reader.reading.send()).receives(sent())
    reader.reading.ensure_acknowledged()
    assert [record.offset for record in reader.fetch().result] == [0]
    with pytest.raises(InvalidArgumentError, match="1 records"):
        reader.reading.ensure_acknowledged()


def test_what_was_renewed_and_has_been_lost_since_is_not_returned():
    reader = Reader().holding()
    for offset in (0, 1):
        reader.reading.acknowledge(ONE, offset, AcknowledgeType.RENEW)
    Conversation(reader.reading.send()).receives(sent())
    reader.reading.acknowledge(ONE, 1, AcknowledgeType.ACCEPT)
    Conversation(reader.reading.send()).receives(sent(ErrorCode.INVALID_RECORD_STATE))
    assert [record.offset for record in reader.fetch().receives(fetched(2, 2)).result] == [2]


def test_everything_has_to_be_acknowledged_where_that_is_wanted():
    reader = Reader().holding()
    with pytest.raises(InvalidArgumentError, match="2 records"):
        reader.reading.ensure_acknowledged()
    reader.reading.accept_all()
    reader.reading.ensure_acknowledged()
    with pytest.raises(InvalidArgumentError, match="not held"):
        reader.reading.acknowledge(ONE, 0, AcknowledgeType.ACCEPT)


def test_acknowledgements_are_sent_at_once_where_they_are_committed():
    reader = Reader().holding()
    reader.reading.accept_all()
    talk = Conversation(reader.reading.send()).receives(sent(ErrorCode.INVALID_RECORD_STATE))
    assert list(talk.result.errors) == [ONE]
    assert Conversation(reader.reading.send()).result.all() == {}


@pytest.mark.parametrize(
    "answer", [UnreachableError("b1", "gone"), fetched(whole=ErrorCode.SHARE_SESSION_NOT_FOUND)]
)
def test_with_a_session_its_locks_are_lost_and_another_begins(answer):
    reader = Reader().holding()
    reader.reading.accept_all()
    reader.fetch().receives(answer)
    assert list(reader.outcomes.errors) == [ONE]
    talk = reader.fetch()
    if isinstance(answer, UnreachableError):
        talk.receives(metadata({"t": {0: (1, 1)}}))
    assert talk.asked[-1][1].share_session_epoch == 0


def test_a_leader_that_moved_is_looked_for():
    reader = Reader()
    reader.fetch().receives(fetched(part=ErrorCode.NOT_LEADER_OR_FOLLOWER))
    talk = reader.fetch().receives(metadata({"t": {0: (2, 2)}}))
    assert talk.asked[-1][0] == 2


def test_what_may_not_be_read_is_an_error():
    with pytest.raises(RefusedError):
        Reader().fetch().receives(fetched(part=ErrorCode.INVALID_REQUEST))


def test_closing_ends_the_sessions_that_are_open():
    reader = Reader()
    assert Conversation(reader.reading.close()).result.all() == {}
    talk = Conversation(reader.holding().reading.close())
    assert talk.asked[-1][1].share_session_epoch == -1  # type: ignore[attr-defined]
