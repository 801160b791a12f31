"""Every node is restarted in its turn, under members of a share group and under an admin's calls.

No call fails: every record that was acknowledged to its producer is returned to a member of
the share group, and to none again once it was accepted; and every topic whose creation was
acknowledged is known to all nodes, while the controller that is active stops again and again.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from moldau.broker.replica.refusals import code_of
from moldau.client import Producer, ShareConsumer, TopicPartition
from moldau.client.admin import Admin, NewTopic
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.testing import Cluster
from tests.cluster.asking import until, wait_for_more

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

TOPIC, GROUP, PARTITIONS = "jobs", "workers", 3
SETTINGS = {
    "min.insync.replicas": 2,
    "default.replication.factor": 3,
    "offsets.topic.replication.factor": 3,
    "share.coordinator.state.topic.replication.factor": 3,
    "share.coordinator.state.topic.min.isr": 2,
}
ROUNDS = 2
"""How often each node is restarted."""
MEMBERS = 2
MADE_BEFORE = {ErrorCode.TOPIC_ALREADY_EXISTS}
"""The answer of a controller that stopped may be lost: asked once more, the next one says so."""
MORE, MORE_TOPICS = 100, 3
PATIENT_S = 120


class Work:
    """What is done in threads until it is stopped; their first error ends the test."""

    def __init__(self) -> None:
        self.is_over = threading.Event()
        self.failed: list[BaseException] = []
        self._threads: list[threading.Thread] = []

    def __repr__(self) -> str:
        return f"Work(failed: {self.failed})"

    def begin(self, work: Callable[[], None]) -> None:
        def guarded() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001  # the test shows it
                self.failed.append(error)

        self._threads.append(threading.Thread(target=guarded, daemon=True))
        self._threads[-1].start()

    def end(self) -> None:
        self.is_over.set()
        for thread in self._threads:
            thread.join(PATIENT_S)
        assert not any(thread.is_alive() for thread in self._threads)


@contextmanager
def working() -> Iterator[Work]:
    work = Work()
    with ExitStack() as ending:
        ending.callback(work.is_over.set)
        yield work


@pytest.fixture
def cluster():
    with Cluster(nodes=3, settings=SETTINGS) as cluster:
        yield cluster


def roll(cluster: Cluster, after_each: Callable[[], None]) -> None:
    for _ in range(ROUNDS):
        for node_id in cluster.node_ids:
            cluster.stop(node_id)
            after_each()
            cluster.restart(node_id)
            after_each()


def test_members_of_a_share_group_get_every_record_while_nodes_are_restarted(cluster):
    with Admin(cluster.bootstrap) as admin:
        admin.create_topics([NewTopic(TOPIC, PARTITIONS, 3)]).all()
        earliest = {"share.auto.offset.reset": "earliest"}
        admin.incremental_alter_configs({("group", GROUP): earliest}).all()
    written: list[bytes] = []
    returned: set[bytes] = set()
    accepted: Counter[bytes] = Counter()

    def write() -> None:
        with Producer(cluster.bootstrap) as producer:
            while not work.is_over.is_set():
                value = b"%d" % len(written)
                producer.send(TOPIC, value).result(PATIENT_S)
                written.append(value)

    def take() -> None:
        with ShareConsumer(cluster.bootstrap, group_id=GROUP) as consumer:
            consumer.subscribe(TOPIC)
            while not (work.is_over.is_set() and returned >= set(written)):
                records = consumer.poll(0.3)
                returned.update(bytes(record.value) for record in records)
                errors = consumer.commit().errors  # it may have been taken, and not be answered
                accepted.update(
                    bytes(record.value)
                    for record in records
                    if TopicPartition(record.topic, record.partition) not in errors
                )

    with working() as work:
        for one in (write, *[take] * MEMBERS):
            work.begin(one)
        roll(cluster, lambda: wait_for_more(work, returned, MORE))
        work.end()
    assert work.failed == []
    assert returned == set(written)
    assert set(accepted.values()) == {1}, accepted.most_common(5)
    print(f"{len(written)} written, {len(written) - len(accepted)} not surely accepted")


def test_topics_that_were_made_are_known_to_all_while_the_controller_moves(cluster):
    made: list[str] = []

    def make() -> None:
        with Admin(cluster.bootstrap) as admin:
            while not work.is_over.is_set():
                name = f"topic-{len(made)}"
                errors = admin.create_topics([NewTopic(name, 1, 2)]).errors.values()
                assert set(map(code_of, errors)) <= MADE_BEFORE, errors
                made.append(name)

    def look() -> None:
        """Any node is asked for what was made: no call fails, and the topics are there at last."""
        with Admin(cluster.bootstrap) as admin:
            while not work.is_over.is_set():
                admin.describe_cluster()
                known = list(made)
                until(lambda: set(known) <= set(admin.list_topics()))  # noqa: B023

    with working() as work:
        for one in (make, look):
            work.begin(one)
        leaders = set()
        for _ in range(ROUNDS * len(cluster.node_ids)):
            leader = active_controller(cluster)
            leaders.add(leader)
            cluster.stop(leader)
            wait_for_more(work, made, MORE_TOPICS)
            cluster.restart(leader)
            wait_for_more(work, made, MORE_TOPICS)
        work.end()
    assert work.failed == []
    assert len(leaders) > 1
    for node_id in cluster.node_ids:
        with Admin(cluster.address(node_id)) as admin:
            until(lambda: set(admin.list_topics()) == set(made))
            assert len(admin.describe_cluster().nodes) == len(cluster.node_ids)


def active_controller(cluster: Cluster) -> int:
    with Admin(cluster.bootstrap) as admin:
        return admin.describe_metadata_quorum().leader_id
