"""Another program ends what a producer has prepared; librdkafka reads what was committed."""

from __future__ import annotations

import pytest

from moldau.client import FencedError, Producer, TransactionError
from moldau.client.errors import UnsupportedVersionError
from moldau.client.sync.transactions import Transactions
from tests.judges.moldau_node import MoldauNode
from tests.spark.sink.reading import read_committed
from tests.spark.topics import Topics

pytestmark = [pytest.mark.judge, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    made = MoldauNode(
        tmp_path_factory.mktemp("prepared"),
        settings={"transaction.two.phase.commit.enable": "true"},
    )
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def topics(node):
    made = Topics(node.bootstrap)
    yield made
    made.close()


def prepared_by(node, topic, **settings):
    with Producer(node.bootstrap, transactional_id=topic, **settings) as producer:
        producer.begin_transaction()
        producer.send(topic, b"one")
        return producer.prepare_transaction()


def values(node, topic):
    return [message.value() for message in read_committed(node.bootstrap, topic)]


def test_one_that_outlives_its_producer_may_be_committed_twice(node, topics):
    topic = topics.make(1)
    prepared = prepared_by(node, topic, transaction_two_phase_commit_enable=True)
    with Transactions(node.bootstrap) as transactions:
        assert transactions.open_names() == [topic]
        assert values(node, topic) == []
        for _ in range(2):
            transactions.end(prepared, commits=True)
        assert transactions.open_names() == []
    assert values(node, topic) == [b"one"]


def test_one_that_was_fenced_cannot_be_committed(node, topics):
    topic = topics.make(1)
    prepared = prepared_by(node, topic)
    with Transactions(node.bootstrap) as transactions:
        transactions.fence(prepared.name)
        with pytest.raises(FencedError):
            transactions.end(prepared, commits=True)
    assert values(node, topic) == []


@pytest.mark.parametrize("commits", [True, False])
def test_one_that_was_decided_otherwise_says_so_and_its_producer_goes_on(node, topics, commits):
    topic = topics.make(1)
    with Producer(node.bootstrap, transactional_id=topic) as producer:
        producer.begin_transaction()
        producer.send(topic, b"one")
        prepared = producer.prepare_transaction()
        assert prepared is not None
        with Transactions(node.bootstrap) as transactions:
            transactions.end(prepared, commits=commits)
            with pytest.raises(TransactionError, match="another program has"):
                transactions.end(prepared, commits=not commits)
        with pytest.raises(TransactionError, match="another program has"):
            (producer.abort_transaction if commits else producer.commit_transaction)()
        producer.abort_transaction()
        with producer.transaction():
            producer.send(topic, b"two")
    assert values(node, topic) == ([b"one", b"two"] if commits else [b"two"])


def test_its_own_producer_may_end_it_too(node, topics):
    topic = topics.make(1)
    with Producer(node.bootstrap, transactional_id=topic) as producer:
        with producer.transaction():
            producer.send(topic, b"two")
            assert producer.prepare_transaction() is not None
        producer.begin_transaction()
        assert producer.prepare_transaction() is None
        producer.abort_transaction()
    assert values(node, topic) == [b"two"]


def test_where_it_is_off_the_setting_is_named(tmp_path):
    node = MoldauNode(tmp_path)
    node.start()
    try:
        named = r"transaction\.two\.phase\.commit\.enable"
        with pytest.raises(UnsupportedVersionError, match=named):
            prepared_by(node, "t", transaction_two_phase_commit_enable=True)
    finally:
        node.stop()
