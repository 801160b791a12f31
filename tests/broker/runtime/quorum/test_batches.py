"""Batches as a leader makes them."""

from __future__ import annotations

import pytest

from moldau.broker.quorum.effects import BeginEpoch, RaiseVersion
from moldau.broker.runtime.quorum.batches import (
    RECORDS_MAX,
    leader_change_batch,
    metadata_batch,
    raised_version_batch,
    voters_batch,
)
from moldau.broker.runtime.quorum.pending import control_news
from moldau.errors import KafkaError
from moldau.platform.slices import at_once
from moldau.protocol.messages.stored.control import LeaderChangeMessage
from moldau.protocol.messages.stored.metadata_cluster import NoOpRecord
from moldau.protocol.records.batch import read_header
from moldau.protocol.records.control import ControlType, parse_key
from moldau.protocol.records.record import iterate_records
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.quorum.simulated_member import voters


def test_a_decision_is_one_batch():
    batch = at_once(metadata_batch([NoOpRecord(), NoOpRecord()], 30, 4, 1000))
    header = read_header(batch)
    assert (header.record_count, header.leader_epoch, header.is_control) == (2, 4, False)
    assert [record.key for record in iterate_records(batch)] == [None, None]


def test_a_decision_that_is_too_large_is_refused_with_what_may_be_asked():
    with pytest.raises(KafkaError, match="ask for less") as refused:
        at_once(metadata_batch([NoOpRecord()] * (RECORDS_MAX + 1), 30, 4, 1000))
    assert refused.value.code == ErrorCode.POLICY_VIOLATION


def test_an_epoch_begins_with_its_leader_in_the_oldest_form():
    batch = leader_change_batch(BeginEpoch(4, voters(1, 2), (2,), None), 2, 0, 1000)
    (record,) = iterate_records(batch)
    assert parse_key(record.key) is ControlType.LEADER_CHANGE
    assert record.value is not None
    change = decode(LeaderChangeMessage, 0, record.value)
    assert (change.version, change.leader_id) == (0, 2)
    assert [voter.voter_id for voter in change.voters] == [1, 2]
    assert [voter.voter_id for voter in change.granting_voters] == [2]


def test_news_of_voters_follow_in_the_same_batch():
    effect = BeginEpoch(4, voters(1), (1,), voters(1))
    batch = leader_change_batch(effect, 1, 1, 1000)
    kinds = [parse_key(record.key) for record in iterate_records(batch)]
    assert kinds == [ControlType.LEADER_CHANGE, ControlType.KRAFT_VERSION, ControlType.KRAFT_VOTERS]


def test_changed_voters_are_read_as_they_were_written():
    batch = voters_batch(voters(1, 2), 4, 1000)
    (news,) = control_news(batch)
    assert news.voters == voters(1, 2)


def test_the_level_that_puts_voters_into_the_log_stands_before_them():
    batch = raised_version_batch(RaiseVersion(4, 1, voters(1)), 1000)
    level, changed = control_news(batch)
    assert (level.kraft_version, changed.voters) == (1, voters(1))
    assert read_header(batch).leader_epoch == 4
