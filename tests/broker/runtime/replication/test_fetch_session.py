"""A session lists what has changed, and begins anew when it has to."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.image import EMPTY_IMAGE
from moldau.broker.runtime.replication.fetch_session import FetchSession
from moldau.broker.runtime.replication.followed import Followed
from moldau.broker.server.fetch.reader import FetchReader
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.runtime.replication.follower_world import EPOCH, SETTINGS, result_of
from tests.broker.server.fetch.fetch_requests import SENDER


def ask(session):
    return session.request(SETTINGS, 1, 11, 500)


def listed(request):
    return [(topic.topic, one.partition) for topic in request.topics for one in topic.partitions]


def state(request):
    return request.session_id, request.session_epoch


def begun(scene):
    """A session that the leader has taken up, with one partition."""
    session, followed = FetchSession(), Followed(scene.partition)
    session.change(followed)
    first = ask(session)
    session.answered(0, 5)
    return session, followed, first


def test_the_first_request_is_full_and_the_next_lists_nothing_that_is_known():
    async def scenario(scene):
        session, _, first = begun(scene)
        second = ask(session)
        return state(first), listed(first), state(second), listed(second)

    assert result_of(scenario) == ((0, 0), [("topic", 0)], (5, 1), [])


def test_a_request_says_who_fetches_and_from_where():
    async def scenario(scene):
        scene.partition.log.append_as_follower(batch(0, leader_epoch=3), EPOCH)
        _, followed, first = begun(scene)
        return first, followed.asked_offset

    request, asked_offset = result_of(scenario)
    (one,) = request.topics[0].partitions
    replica = request.replica_state
    assert (replica.replica_id, replica.replica_epoch) == (1, 11)
    assert (one.current_leader_epoch, one.fetch_offset, one.last_fetched_epoch) == (EPOCH, 1, 3)
    assert asked_offset == 1


@pytest.mark.parametrize("is_first", [True, False])
def test_a_leader_reads_what_is_sent_without_a_message(is_first):
    async def scenario(scene):
        session, _, first = begun(scene)
        return first if is_first else ask(session)

    body = encode(result_of(scenario), 18)
    read = FetchReader(18).read(SENDER, memoryview(body), body, 0, EMPTY_IMAGE)
    assert read is not None
    assert encode(read.message(), 18) == body


def test_what_has_changed_is_listed_again():
    async def scenario(scene):
        session, followed, _ = begun(scene)
        session.change(followed)
        second = ask(session)
        session.answered(0, 5)
        return listed(second), listed(ask(session))

    assert result_of(scenario) == ([("topic", 0)], [])


def test_what_leaves_is_forgotten_once():
    async def scenario(scene):
        session, followed, _ = begun(scene)
        session.leave(followed.key)
        second = ask(session)
        session.answered(0, 5)
        third = ask(session)
        return second.forgotten_topics_data, third.forgotten_topics_data

    (forgotten,), nothing = result_of(scenario)
    assert (forgotten.partitions, nothing) == ([0], [])


def test_what_leaves_and_comes_back_at_once_is_listed_and_not_forgotten():
    async def scenario(scene):
        session, followed, _ = begun(scene)
        session.leave(followed.key)
        session.change(followed)
        second = ask(session)
        return listed(second), second.forgotten_topics_data

    assert result_of(scenario) == ([("topic", 0)], [])


@pytest.mark.parametrize(
    ("code", "session_id"),
    [
        (ErrorCode.FETCH_SESSION_ID_NOT_FOUND, 0),
        (ErrorCode.INVALID_FETCH_SESSION_EPOCH, 5),
    ],
)
def test_a_refused_session_begins_anew_with_everything(code, session_id):
    async def scenario(scene):
        session, _, _ = begun(scene)
        is_fine = session.answered(code, 0)
        request = ask(session)
        return is_fine, state(request), listed(request)

    assert result_of(scenario) == (False, (session_id, 0), [("topic", 0)])


def test_without_a_session_every_request_lists_everything():
    async def scenario(scene):
        session, _, _ = begun(scene)
        session.answered(0, 0)
        request = ask(session)
        return state(request), listed(request)

    assert result_of(scenario) == ((0, 0), [("topic", 0)])
