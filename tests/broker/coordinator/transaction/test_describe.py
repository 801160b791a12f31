"""What an operator sees of transactions."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.coordinator.transaction.describe import unknown_states
from moldau.protocol.messages.transaction.describe_transactions import DescribeTransactionsRequest
from moldau.protocol.messages.transaction.list_transactions import ListTransactionsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.transaction.stage import TIMEOUT_MS, Stage, partitions


def asked(**filters):
    return ListTransactionsRequest(**{"state_filters": [], "producer_id_filters": [], **filters})


def listed(stage, **filters):
    states = stage.ask(asked(**filters), 2).transaction_states
    return [(one.transactional_id, one.transaction_state) for one in states]


def described(stage, *names):
    request = DescribeTransactionsRequest(transactional_ids=list(names))
    return stage.ask(request, 0).transaction_states


@pytest.fixture
def stage():
    made: Any = Stage()
    made.init("idle")
    made.open = made.init("open")
    made.add(made.open, 0, 1, name="open")
    return made


def test_an_open_transaction_is_described_whole(stage):
    [one] = described(stage, "open")
    assert (one.error_code, one.transaction_state) == (0, "Ongoing")
    assert (one.producer_id, one.producer_epoch) == stage.open
    assert one.transaction_timeout_ms == TIMEOUT_MS
    assert one.transaction_start_time_ms == stage.now_ms - 1
    [topic] = one.topics
    assert (topic.topic, sorted(topic.partitions)) == ("orders", [0, 1])


def test_an_ending_transaction_shows_where_its_marker_is_missing(stage):
    stage.end(stage.open, name="open")
    [markers] = stage.effects
    stage.carry_out(stage.shard.markers_written(markers, partitions("orders", 0), 0))
    [one] = described(stage, "open")
    assert one.transaction_state == "PrepareCommit"
    assert [topic.partitions for topic in one.topics] == [[1]]


def test_ids_that_are_not_there_have_their_own_codes(stage):
    codes = [one.error_code for one in described(stage, "unknown", "")]
    assert codes == [ErrorCode.TRANSACTIONAL_ID_NOT_FOUND, ErrorCode.INVALID_REQUEST]


def test_without_filters_all_are_listed(stage):
    assert listed(stage) == [("idle", "Empty"), ("open", "Ongoing")]


def test_each_filter_narrows(stage):
    assert listed(stage, state_filters=["Ongoing"]) == [("open", "Ongoing")]
    assert listed(stage, producer_id_filters=[stage.open[0]]) == [("open", "Ongoing")]
    assert listed(stage, transactional_id_pattern="i.*") == [("idle", "Empty")]
    assert listed(stage, transactional_id_pattern="i") == []
    assert listed(stage, state_filters=["Nonsense"]) == []


def test_a_duration_keeps_those_that_are_open_longer(stage):
    assert ("open", "Ongoing") not in listed(stage, duration_filter=1000)
    stage.pass_time(1000)
    assert ("open", "Ongoing") in listed(stage, duration_filter=1000)


def test_names_that_are_no_states_are_reported():
    assert unknown_states(asked(state_filters=["Ongoing", "Nonsense"])) == ["Nonsense"]


def test_a_pattern_that_is_none_is_refused(stage):
    code = stage.code_of(listed, stage, transactional_id_pattern="(")
    assert code == ErrorCode.INVALID_REGULAR_EXPRESSION


def test_a_pattern_costs_no_more_than_its_id_is_long():
    made = Stage()
    made.init("a" * 5_000)
    assert listed(made, transactional_id_pattern="(a*)*b") == []
