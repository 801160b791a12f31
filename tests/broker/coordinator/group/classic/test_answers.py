"""Answers of the classic protocol."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.answers import (
    dismiss,
    end_sync,
    sync_answer,
    sync_refusal,
)
from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.draft import Draft
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.test_member import member


def test_a_dismissed_member_is_answered_wherever_it_waits():
    draft = Draft()
    dismiss(member("a", joining=1, syncing=2), ErrorCode.UNKNOWN_MEMBER_ID, draft)
    assert [(reply.ticket, reply.response.error_code) for reply in draft.replies] == [  # type: ignore[attr-defined]
        (1, 25),
        (2, 25),
    ]


def test_who_does_not_wait_gets_no_answer():
    draft, silent = Draft(), member("a")
    assert not end_sync(silent, sync_refusal(27), draft)
    dismiss(silent, ErrorCode.UNKNOWN_MEMBER_ID, draft)
    assert draft.replies == []


def test_an_assignment_comes_with_the_protocol():
    group = ClassicGroup("g", 0)
    group.add(member("a"), "consumer")
    group.begin_generation("a")
    answer = sync_answer(group, b"x")
    assert (answer.protocol_type, answer.protocol_name, answer.assignment) == (
        "consumer",
        "a",
        b"x",
    )
