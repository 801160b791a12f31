"""The blocking consumer, with a node of ours."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest

from moldau.client.admin import Admin, NewTopic
from moldau.client.arguments.listening import RebalanceListener
from moldau.client.errors import ClosedError, InvalidArgumentError, RefusedError, UnknownTopicError
from moldau.client.sync.consumer import Consumer
from moldau.client.sync.producer import Producer
from moldau.client.topic_partition import TopicPartition

PROTOCOLS = ("classic", "consumer")
POLLS_MAX = 400


@pytest.fixture
def filled(around, topic):
    """With 50 records in each of 4 partitions."""
    around.make(topic, partitions=4)
    with Producer(around.bootstrap) as producer:
        for number in range(200):
            producer.send(topic, b"%d" % number, partition=number % 4)
    return topic


def consumer(around, group: str | None = None, **settings: object) -> Consumer:
    given = {"auto_offset_reset": "earliest", **settings}
    if settings.get("group_protocol") != "consumer":
        given["heartbeat_interval_ms"] = 100
    return Consumer(around.bootstrap, group_id=group, **given)


def polled(members: list[Consumer], is_enough: Callable[[list[Any]], bool]) -> list[Any]:
    """What they return in turn, until that is enough."""
    found: list[Any] = []
    for _ in range(POLLS_MAX):
        for member in members:
            found += member.poll(0.1)
        if is_enough(found):
            return found
    raise AssertionError(f"{len(found)} records are not enough")


def test_a_table_of_arrow_has_where_each_record_was(around, filled):
    with consumer(around) as reader:
        reader.assign(filled)
        rows = [row for batch in reader.arrow(timeout=0.5) for row in batch.to_pylist()]
    assert sorted(int(row["value"]) for row in rows) == list(range(200))
    assert {(row["topic"], row["partition"]) for row in rows} == {(filled, n) for n in range(4)}
    assert not [thread for thread in threading.enumerate() if "consumer" in thread.name]


@pytest.mark.parametrize(
    "settings",
    [
        *({"partition_assignment_strategy": name} for name in ("range", "sticky")),
        {"partition_assignment_strategy": "cooperative-sticky"},
        {"group_protocol": "consumer"},
    ],
    ids=lambda settings: next(iter(settings.values())),
)
def test_a_second_member_takes_its_share_and_gives_it_back(around, filled, settings):
    with consumer(around, filled, **settings) as first:
        first.subscribe(filled)
        found = polled([first], lambda records: len(records) == 200)
        with consumer(around, filled, **settings) as second:
            second.subscribe(filled)
            polled([first, second], lambda _: len(second.assignment()) == 2)
            assert not first.assignment() & second.assignment()
        polled([first], lambda _: len(first.assignment()) == 4)
        assert first.poll(0.1) == []
    assert sorted(int(record.value) for record in found) == list(range(200))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_listener_may_commit_before_its_partitions_go(around, filled, protocol):
    received: list[tuple[str, int]] = []

    class Listener(RebalanceListener):
        def on_assigned(self, parts):
            received.append(("assigned", len(parts)))

        def on_revoked(self, parts):
            received.append(("revoked", len(parts)))
            reader.commit(dict.fromkeys(parts, 7))

    settings = {"group_protocol": protocol, "enable_auto_commit": False}
    with consumer(around, filled, **settings) as reader:
        reader.subscribe(filled, listener=Listener())
        polled([reader], lambda records: len(records) == 200)
        with consumer(around, filled, **settings) as other:
            other.subscribe(filled)
            polled([reader, other], lambda _: len(other.assignment()) == 2)
    assert received[0] == ("assigned", 4)
    assert received[1][0] == "revoked"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_pattern_finds_topics_as_they_appear(around, topic, protocol):
    settings = {"group_protocol": protocol, "metadata_max_age_ms": 100}
    with consumer(around, topic, **settings) as reader, Producer(around.bootstrap) as producer:
        reader.subscribe(re.compile(f"{topic}-.*"))
        assert reader.poll(0.2) == []
        producer.send(f"{topic}-a", b"1").result()
        (found,) = polled([reader], bool)
    assert found.topic == f"{topic}-a"


def test_the_server_can_look_for_topics_too(around, filled):
    with consumer(around, filled, group_protocol="consumer") as reader:
        reader.subscribe(server_pattern=f"{filled[:8]}.*{filled[8:]}")
        polled([reader], lambda records: len(records) == 200)


def test_offsets_go_with_a_transaction(around, filled):
    with (
        consumer(around, filled, enable_auto_commit=False) as reader,
        Producer(around.bootstrap, transactional_id=filled) as producer,
    ):
        reader.subscribe(filled)
        polled([reader], lambda records: len(records) == 200)
        with producer.transaction():
            offsets = {part: reader.position(part) for part in reader.assignment()}
            producer.send(f"{filled}-copy", b"x")
            producer.send_offsets(offsets, reader)
        assert reader.committed(filled) == {TopicPartition(filled, n): 50 for n in range(4)}


def test_what_was_not_committed_comes_again(around, filled):
    for _ in range(2):
        with consumer(around, filled, enable_auto_commit=False) as reader:
            reader.subscribe(filled)
            polled([reader], lambda records: len(records) == 200)
    with consumer(around, filled) as reader:
        reader.subscribe(filled)
        polled([reader], lambda records: len(records) == 200)
        reader.unsubscribe()
        assert reader.assignment() == set()
    with consumer(around, filled) as reader:
        assert set(reader.committed(filled).values()) == {50}


def test_aborted_records_are_seen_only_by_those_who_want_them(around, topic):
    with Producer(around.bootstrap, transactional_id=topic) as producer:
        for value in (b"kept", b"gone"):
            producer.begin_transaction()
            producer.send(topic, value).result()
            if value == b"kept":
                producer.commit_transaction()
            else:
                producer.abort_transaction()
    found = {}
    for isolation in ("read_committed", "read_uncommitted"):
        with consumer(around, isolation_level=isolation) as reader:
            reader.assign(topic)
            found[isolation] = [one.value for one in reader.poll(10)]
            found[isolation] += [one.value for one in reader.poll(0.3)]
    assert found == {"read_committed": [b"kept"], "read_uncommitted": [b"kept", b"gone"]}


def test_one_that_was_closed_says_so(around):
    reader = consumer(around)
    reader.close()
    reader.close()
    with pytest.raises(ClosedError, match="the consumer"):
        reader.poll()


def test_a_consumer_that_reads_nothing_says_so(around, topic):
    with consumer(around, topic) as reader:
        with pytest.raises(InvalidArgumentError, match="reads nothing: subscribe"):
            reader.poll(0.1)
        reader.subscribe(topic)
        reader.subscribe([])  # as with Java's
        with pytest.raises(InvalidArgumentError, match="reads nothing"):
            reader.poll(0.1)


@pytest.mark.parametrize("name", ["^orders.*", "a b", "..", "x" * 250, "caf\u00e9", ""])
def test_a_name_that_no_topic_can_have_is_refused(around, name):
    with consumer(around, "g") as reader, pytest.raises(InvalidArgumentError):
        reader.subscribe(name)


@pytest.mark.parametrize("timeout", [-1, None, "x"])
def test_a_poll_takes_seconds(around, topic, timeout):
    with consumer(around) as reader:
        reader.assign([(topic, 0)])
        with pytest.raises(InvalidArgumentError, match="number of seconds"):
            reader.poll(timeout)


def test_after_a_wrong_pattern_another_subscription_is_as_good_as_the_first(around, filled):
    given = {"group_protocol": "consumer", "group_id": filled, "auto_offset_reset": "earliest"}
    with Consumer(around.bootstrap, **given) as reader:
        reader.subscribe(server_pattern="a-[")
        with pytest.raises(RefusedError, match="INVALID_REGULAR_EXPRESSION"):
            polled([reader], lambda records: False)
        reader.subscribe(filled)
        found: list[Any] = []
        while not found:
            found = reader.poll()
    assert found[0].topic == filled


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_topic_that_is_made_again_is_read_from_where_the_policy_says(around, filled, protocol):
    """Its offsets begin anew: what was read of the former one says nothing about it."""
    with (
        Admin(around.bootstrap) as admin,
        Producer(around.bootstrap) as producer,
        consumer(
            around,
            filled,
            group_protocol=protocol,
            metadata_max_age_ms=100,
            allow_auto_create_topics=False,
        ) as member,
    ):
        member.subscribe(filled)
        polled([member], lambda found: len(found) == 200)
        admin.delete_topics([filled]).all()
        member.poll(0.5)
        admin.create_topics([NewTopic(filled, 1, 1)]).all()
        for number in range(3):
            producer.send(filled, b"new %d" % number, partition=0)
        found = polled([member], lambda found: len(found) == 3)
    assert [record.value for record in found] == [b"new 0", b"new 1", b"new 2"]


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_a_topic_that_is_subscribed_to_is_created_by_the_broker(around, topic, protocol):
    with Admin(around.bootstrap) as admin, consumer(around, topic, group_protocol=protocol) as one:
        one.subscribe(topic)
        polled([one], lambda _: bool(one.assignment()))
        assert topic in admin.list_topics()


def test_consumers_create_no_topic_where_that_is_switched_off(around, topic):
    with (
        Admin(around.bootstrap) as admin,
        consumer(around, topic, allow_auto_create_topics=False) as one,
    ):
        one.subscribe(topic)
        for _ in range(5):
            one.poll(0.1)
        with pytest.raises(UnknownTopicError):
            one.assign(topic)
        assert topic not in admin.list_topics()
