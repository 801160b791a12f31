"""Looking up offsets, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.offsets import OffsetPlace, list_offsets
from moldau.client.errors import UnsupportedVersionError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import metadata, offsets
from tests.client.core.admin.asking import call, talk

ONE, TWO = TopicPartition("t", 0), TopicPartition("t", 1)
METADATA = metadata({"t": {0: (1, 3), 1: (1, 4)}})


def test_a_place_that_an_old_broker_does_not_know_fails_alone():
    held = talk(list_offsets(call(), {ONE: OffsetPlace.LATEST, TWO: OffsetPlace.MAX_TIMESTAMP}))
    held.receives(METADATA)
    assert [ask.oldest for ask in held.step.asks] == [0, 7]
    held.receives(offsets({ONE: 17}), UnsupportedVersionError("too old"))
    assert held.result[ONE].offset == 17
    assert isinstance(held.result.errors[TWO], UnsupportedVersionError)


def test_the_leader_is_asked_under_its_epoch_and_anew_where_that_is_over():
    held = talk(list_offsets(call(), {ONE: 5})).receives(METADATA)
    assert held.asked[-1][1].topics[0].partitions[0].current_leader_epoch == 3
    held.receives(offsets({ONE: -1}, ErrorCode.FENCED_LEADER_EPOCH)).rests()
    held.receives(metadata({"t": {0: (2, 4)}})).receives(offsets({ONE: -1}))
    assert held.result[ONE].offset is None
