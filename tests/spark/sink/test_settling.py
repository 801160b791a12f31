"""A batch is committed once, whatever dies."""

from __future__ import annotations

import pytest

from moldau.client import Producer
from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.sync.transactions import Transactions
from moldau.spark.sink.decisions import Decision, DecisionLog
from moldau.spark.sink.errors import HalfCommittedError
from moldau.spark.sink.names import TransactionalIds, family_of
from moldau.spark.sink.options import sink_options
from moldau.spark.sink.settling import abandon, settle

pytestmark = [pytest.mark.judge, pytest.mark.timeout(120)]
PROCESS = TransactionalIds()


class Query:
    """The writes of one application, to a topic of its own."""

    def __init__(self, bootstrap: str, topic: str, has_two_phases: bool) -> None:
        self.options = sink_options({"kafka.bootstrap.servers": bootstrap})
        self.family = family_of("moldau-spark", topic)
        self._topic = topic
        self._bootstrap = bootstrap
        self._has_two_phases = has_two_phases

    def prepare(self, batch: int, value: str) -> PreparedTransaction:
        """What a task does."""
        producer = Producer(
            self._bootstrap,
            transactional_id=PROCESS.take(self.family, batch),
            transaction_two_phase_commit_enable=self._has_two_phases,
        )
        producer.begin_transaction()
        producer.send(self._topic, value.encode())
        prepared = producer.prepare_transaction()
        producer.close()
        assert prepared is not None
        return prepared

    def decide(self, batch: int, *prepared: PreparedTransaction) -> None:
        """What a driver does before it dies."""
        with DecisionLog(self.options, self.family) as log:
            log.write(Decision(batch, prepared))

    def open_names(self) -> list[str]:
        with Transactions(self._bootstrap) as cluster:
            return [name for name in cluster.open_names() if name.startswith(self.family)]


@pytest.fixture
def query(cluster, has_two_phases, new_topic):
    return Query(cluster.bootstrap, new_topic(2), has_two_phases)


@pytest.fixture
def values(committed, query):
    return lambda: sorted(message.value().decode() for message in committed(query._topic))


def test_a_batch_is_committed_and_what_dead_tasks_left_is_gone(query, values):
    query.prepare(0, "of a dead task")
    prepared = [query.prepare(0, "a"), query.prepare(0, "b")]
    assert settle(query.options, query.family, 0, prepared)
    assert values() == ["a", "b"]
    assert query.open_names() == []


def test_a_batch_that_was_decided_is_finished_and_its_second_writing_dropped(query, values):
    first = [query.prepare(0, "a"), query.prepare(0, "b")]
    query.decide(0, *first)
    with Transactions(query._bootstrap) as cluster:
        cluster.end(first[0], commits=True)
    again = [query.prepare(0, "a again"), query.prepare(0, "b again")]
    assert not settle(query.options, query.family, 0, again)
    assert not settle(query.options, query.family, 0, [])
    assert values() == ["a", "b"]
    assert query.open_names() == []


def test_a_failure_after_the_decision_aborts_nothing_of_it(query, values):
    prepared = query.prepare(5, "decided")
    query.decide(5, prepared)
    abandon(query.options, query.family, 5, [prepared])
    assert query.open_names() == [prepared.name]
    assert not settle(query.options, query.family, 5, [])
    assert values() == ["decided"]


def test_a_failure_before_the_decision_leaves_nothing(query, values):
    prepared = query.prepare(0, "given up")
    abandon(query.options, query.family, 0, [prepared])
    assert settle(query.options, query.family, 0, [query.prepare(0, "written again")])
    assert values() == ["written again"]
    assert query.open_names() == []


def test_a_driver_that_wakes_up_late_changes_nothing(query, values):
    assert settle(query.options, query.family, 0, [query.prepare(0, "a")])
    assert settle(query.options, query.family, 1, [query.prepare(1, "b")])
    assert not settle(query.options, query.family, 0, [query.prepare(2, "asleep since batch 0")])
    assert values() == ["a", "b"]


def test_a_decided_transaction_that_the_broker_aborted_is_no_secret(query):
    prepared = query.prepare(0, "too late")
    query.decide(0, prepared)
    with Transactions(query._bootstrap) as cluster:
        cluster.fence(prepared.name)
    with pytest.raises(HalfCommittedError, match=r"aborted 1 of its 1 transactions"):
        settle(query.options, query.family, 0, [])
