"""Ranges that members speak of have to make sense by themselves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.coordinator.share.partition.acknowledging import Acknowledgement
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.settings import Features
from moldau.broker.security.authorizer import AllowAll
from moldau.broker.server.share.acknowledging import (
    check_member,
    checked,
    checked_all,
    end_sessions,
)
from moldau.broker.server.share.sessions import ShareSessions
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_fetch import ShareFetchRequest
from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import call_of
from tests.broker.server.share.test_sessions import fetch


def refusal_of(*, share: int, group_id: str | None, member_id: str | None) -> int | None:
    """The code with which a client is kept from being this member."""
    image = Image(features=Features({"share.version": share}))
    broker: Any = SimpleNamespace(
        metadata=SimpleNamespace(image=image), authorizer=AllowAll(), settings=SimpleNamespace()
    )
    try:
        check_member(call_of(blank(ShareFetchRequest), 1), broker, group_id, member_id)
    except KafkaError as refused:
        return refused.code
    return None


def batch(first, last, *types):
    return SimpleNamespace(first_offset=first, last_offset=last, acknowledge_types=list(types))


def test_one_word_for_all_or_one_for_each():
    assert checked(batch(3, 5, 1), may_renew=False) == Acknowledgement(3, 5, [1])
    assert checked(batch(3, 5, 1, 2, 0), may_renew=False).types == [1, 2, 0]


@pytest.mark.parametrize(
    ("may_renew", "refused"),
    [
        (True, batch(5, 4, 1)),
        (True, batch(0, 4)),
        (True, batch(0, 4, 1, 1)),
        (True, batch(0, 4, 5)),
        (False, batch(0, 4, 4)),
    ],
)
def test_what_makes_no_sense_is_refused(may_renew, refused):
    with pytest.raises(KafkaError):
        checked(refused, may_renew=may_renew)


@pytest.mark.parametrize(
    "batches",
    [[batch(-2, 4, 1)], [batch(4, 5, 1), batch(0, 1, 1)], [batch(0, 5, 1), batch(4, 6, 1)]],
)
def test_ranges_that_go_back_are_refused(batches):
    with pytest.raises(KafkaError) as refused:
        checked_all(batches, may_renew=False)
    assert refused.value.code == ErrorCode.INVALID_REQUEST


def test_a_range_may_begin_before_the_log_and_where_another_one_ends():
    batches = [batch(-1, 5, 1), batch(5, 6, 2)]
    assert [one.types for one in checked_all(batches, may_renew=False)] == [[1], [2]]


def test_who_has_asked_for_it_may_renew():
    assert checked(batch(0, 4, 4), may_renew=True).types == [4]


@pytest.mark.parametrize("member_id", [None, "", "m" * 37])
def test_a_member_has_an_id_that_is_no_longer_than_a_uuid(member_id):
    code = refusal_of(share=1, group_id="g", member_id=member_id)
    assert code == ErrorCode.INVALID_REQUEST


def test_the_group_has_an_id_that_may_be_empty():
    assert refusal_of(share=1, group_id=None, member_id="m") == ErrorCode.INVALID_REQUEST
    assert refusal_of(share=1, group_id="", member_id="m" * 36) is None


def test_without_the_feature_nothing_else_is_looked_at():
    assert refusal_of(share=0, group_id=None, member_id=None) == ErrorCode.UNSUPPORTED_VERSION


def test_only_sessions_that_are_lost_with_their_connection_count_as_evicted():
    sessions = ShareSessions(10)
    for member_id, connection_id in (("lost", 1), ("other", 2), ("left", 3)):
        sessions.begin(fetch(member_id, 0), connection_id)
    sessions.end(sessions.get("g", "left"))
    tasks = SimpleNamespace(spawn=lambda _name, work: work.close())
    broker: Any = SimpleNamespace(share_sessions=sessions, tasks=tasks)
    for connection_id in (1, 3):
        end_sessions(broker, connection_id)
    assert sessions.evicted_count == 1
