"""Metadata read from bytes and from messages: the same answers, as long as nothing changes."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.broker.server.asking import answers_in, broker_with, frame_of
from tests.broker.server.frame_sender import FrameSender
from tests.broker.server.topic.test_metadata import ORDERS_ID, Asked, Creation, image

ORDERS = [Asked(name="orders")]


def sender_to(known: Any, *, reads_fast: bool = True) -> FrameSender:
    broker = broker_with(known, auto_create_topics_enable=True)
    broker.topic_creation = Creation()
    return FrameSender(broker, reads_fast=reads_fast)


def answers(sender: FrameSender, version: int, times: int = 3, **request: Any) -> list[Any]:
    frame = frame_of(MetadataRequest(**request), version)
    frames = [sender.send(frame)[0] for _ in range(times)]
    return [answers_in(one, MetadataRequest.KEY, version)[0][1] for one in frames]


def settled(answered: list[Any]) -> list[Any]:
    """Without what chance has drawn."""
    for one in answered:
        one.controller_id = 0
    return answered


@pytest.mark.parametrize("version", [9, 11, 12, 13])
@pytest.mark.parametrize("wishes", [{}, {"include_topic_authorized_operations": True}])
def test_both_ways_answer_alike(version, wishes):
    fast, plain = sender_to(image()), sender_to(image(), reads_fast=False)
    expected = settled(answers(plain, version, topics=ORDERS, **wishes))
    assert settled(answers(fast, version, topics=ORDERS, **wishes)) == expected
    assert (fast.read_fast, plain.read_fast) == (3, 0)


def test_topics_may_be_asked_for_by_id():
    fast, plain = sender_to(image()), sender_to(image(), reads_fast=False)
    asked = [Asked(name=None, topic_id=ORDERS_ID)]
    assert settled(answers(fast, 12, topics=asked)) == settled(answers(plain, 12, topics=asked))
    assert fast.read_fast == 3


@pytest.mark.parametrize("topics", [None, [], [Asked(name="absent")], [*ORDERS, Asked(name="no")]])
def test_all_topics_and_missing_ones_are_read_as_messages(topics):
    sender = sender_to(image())
    answers(sender, 12, topics=topics)
    assert sender.read_fast == 0


def test_each_broker_is_named_as_the_controller_once_in_a_while():
    answered = answers(sender_to(image()), 12, times=40, topics=ORDERS)
    assert {one.controller_id for one in answered} == {1, 2}


def test_when_the_metadata_changes_the_answer_does():
    sender = sender_to(image())
    broker: Any = sender.dispatcher.broker
    before = answers(sender, 12, topics=ORDERS)
    broker.metadata.image = image(fenced=(2,))
    after = answers(sender, 12, topics=ORDERS)
    assert [len(one.brokers) for one in (*before, *after)] == [2, 2, 2, 1, 1, 1]


def test_who_may_see_other_things_gets_another_answer():
    class OnlyAlice:
        def allows(self, caller: Any, *asked: Any) -> Any:
            return caller.principal.name == "alice"

    sender = sender_to(image())
    broker: Any = sender.dispatcher.broker
    broker.authorizer = OnlyAlice()
    frame = frame_of(MetadataRequest(topics=ORDERS), 12)
    answered = [sender.send(frame, name)[0] for name in ("bob", "alice") * 2]
    found = [answers_in(one, MetadataRequest.KEY, 12)[0][1].topics for one in answered]
    assert found[:2] == found[2:]
    assert [indexes_of(topics) for topics in found[:2]] == [[], [0, 1]]


def indexes_of(topics: Any) -> list[int]:
    return [one.partition_index for one in topics[0].partitions]


def test_what_is_kept_is_bounded():
    sender = sender_to(image())
    answers(sender, 12, times=1, topics=ORDERS)
    reader: Any = sender.dispatcher._routes[(MetadataRequest.KEY << 16) + 12].fast
    reader.answers_max = 1
    for _ in range(3):
        answers(sender, 12, times=1, topics=ORDERS, include_topic_authorized_operations=True)
        answers(sender, 12, times=1, topics=ORDERS)
        assert len(reader._kept) == 1


class Lost:
    """Brokers that were lost, as a test says."""

    are_unsettled = False
    changes = 0

    def __init__(self, *listed: Any) -> None:
        self.listed = listed

    def fenced_lately(self, image: Any, listener: str) -> Any:
        return self.listed

    def has_asked_lately(self, connection_id: int, now_ns: int) -> bool:
        return True


def ids_in(answered: Any) -> list[int]:
    return [one.node_id for one in answered.brokers]


def test_a_broker_that_was_fenced_lately_is_listed_and_never_the_controller():
    known = image(fenced=(2,))
    sender = sender_to(known)
    sender.dispatcher.broker.lost_brokers = lost = Lost(known.cluster.brokers[2])  # type: ignore[assignment]
    answered = answers(sender, 12, times=20, topics=ORDERS)
    assert [ids_in(one) for one in answered] == [[1, 2]] * 20
    assert {one.controller_id for one in answered} == {1}
    lost.listed, lost.changes = (), 1
    assert ids_in(answers(sender, 12, times=1, topics=ORDERS)[0]) == [1]
