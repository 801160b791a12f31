"""A session takes over what a request lists, and selects what has something to say."""

from __future__ import annotations

from moldau.broker.server.fetch.due_partitions import DuePartitions
from moldau.broker.server.fetch.fetched import Fetched, PartitionResponse
from moldau.broker.server.fetch.session import PART, PartitionKey, Session, in_parts
from moldau.protocol.messages.data.fetch import FetchRequest

Topic = FetchRequest.FetchTopic


def request(indexes: range, *, gone: tuple[int, ...] = ()) -> FetchRequest:
    asked = [
        Topic.FetchPartition(partition=index, fetch_offset=index, partition_max_bytes=9)
        for index in indexes
    ]
    return FetchRequest(
        max_wait_ms=0, min_bytes=0, topics=[Topic(topic="t", partitions=asked)],
        forgotten_topics_data=[FetchRequest.ForgottenTopic(topic="t", partitions=list(gone))],
    )  # fmt: skip


def session_of(indexes: range) -> Session:
    partitions: dict[PartitionKey, Fetched] = {}
    session = Session(
        7, partitions, DuePartitions(partitions), 0, lambda over: None,
        is_privileged=False, uses_topic_ids=False,
    )  # fmt: skip
    session.update(request(indexes))
    return session


def indexes_of(session: Session) -> list[int]:
    return [index for _, index in session.partitions]


def test_what_is_listed_joins_and_what_is_given_up_leaves():
    session = session_of(range(3))
    session.update(request(range(3, 4), gone=(0, 9)))
    assert indexes_of(session) == [1, 2, 3]
    assert session.due.topics == {"t": 3}
    assert repr(session) == "Session(7 in epoch 1, 3)"


def test_a_long_request_is_taken_over_in_parts_to_the_same_end():
    short, long = session_of(range(0)), session_of(range(0))
    short.update(request(range(3 * PART), gone=(5,)))
    steps = list(long.updating(request(range(3 * PART), gone=(5,))))
    assert len(steps) == 4
    assert indexes_of(long) == indexes_of(short)


def test_topics_of_many_partitions_are_cut():
    topics = request(range(PART + 1)).topics
    assert [len(one.partitions) for one in in_parts(topics)] == [PART, 1]


def test_only_what_has_changed_is_selected_and_what_gave_records_moves_to_the_end():
    session = session_of(range(3))
    for expected in ([0, 1, 2], [0]):
        responses = [
            PartitionResponse(one, 5, 5, 0, None, b"" if one.index else b"records")
            for one in tuple(session.partitions.values())
        ]
        assert sorted(one.fetched.index for one in session.select(responses)) == expected
        assert indexes_of(session) == [1, 2, 0]


def test_its_end_is_known_to_who_counts_it():
    over: list[Session] = []
    session = session_of(range(1))
    session.when_over = over.append
    session.end()
    assert over == [session]
