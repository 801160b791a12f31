"""What a task does with its rows."""

from __future__ import annotations

import pyarrow as pa
import pytest

from moldau.client.errors import ClientError
from moldau.client.sync.transactions import Transactions
from moldau.spark.sink.options import TRANSACTION_TIMEOUT, sink_options
from moldau.spark.sink.tasks import send, send_prepared

pytestmark = [pytest.mark.judge, pytest.mark.timeout(120)]
ROWS = pa.RecordBatch.from_pydict({"key": ["k", "l"], "value": [b"1", b"2"]})


def options_for(node, topic, **more):
    return sink_options({"kafka.bootstrap.servers": node.bootstrap, "topic": topic, **more})


def test_rows_are_seen_when_another_program_commits_them(
    cluster, has_two_phases, new_topic, committed
):
    topic = new_topic(1)
    sent = send_prepared(options_for(cluster, topic), "task-1", iter([ROWS]), is_lasting=True)
    assert (sent.records, sent.has_two_phases) == (2, has_two_phases)
    assert committed(topic) == []
    assert sent.prepared is not None
    with Transactions(cluster.bootstrap) as transactions:
        transactions.end(sent.prepared, commits=True)
    assert [message.value() for message in committed(topic)] == [b"1", b"2"]


def test_a_task_without_rows_leaves_no_transaction(cluster, new_topic):
    sent = send_prepared(options_for(cluster, new_topic(1)), "task-2", iter([]), is_lasting=True)
    assert (sent.records, sent.prepared) == (0, None)


def test_a_task_that_fails_takes_back_what_it_has_sent(cluster, new_topic, committed):
    def rows():
        yield ROWS
        raise ValueError("of the query")

    topic = new_topic(1)
    with pytest.raises(ValueError, match="of the query"):
        send_prepared(options_for(cluster, topic), "task-3", rows(), is_lasting=True)
    with Transactions(cluster.bootstrap) as transactions:
        assert "task-3" not in transactions.open_names()


def test_where_two_phases_are_off_a_transaction_has_a_limit(broker, topics):
    options = options_for(broker, topics.make(1), **{f"kafka.{TRANSACTION_TIMEOUT}": "60000"})
    sent = send_prepared(options, "task-4", iter([ROWS]), is_lasting=True)
    assert not sent.has_two_phases
    assert sent.prepared is not None
    with Transactions(broker.bootstrap) as transactions:
        transactions.end(sent.prepared, commits=True)


def test_at_least_once_is_there_at_once(cluster, new_topic, committed):
    topic = new_topic(1)
    assert send(options_for(cluster, topic), iter([ROWS])).prepared is None
    assert len(committed(topic)) == 2


def test_a_topic_that_is_not_there_is_named(cluster):
    options = options_for(cluster, "nowhere", **{"kafka.max.block.ms": "500"})
    with pytest.raises(ClientError, match="nowhere"):
        send(options, iter([ROWS]))
