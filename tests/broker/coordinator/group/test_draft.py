"""A decision in the making."""

from __future__ import annotations

from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.shard import Reply
from moldau.protocol.messages.group.heartbeat import HeartbeatResponse
from moldau.protocol.wire.error_codes import ErrorCode


def answer(code: int) -> HeartbeatResponse:
    return HeartbeatResponse(throttle_time_ms=0, error_code=code)


def test_a_draft_keeps_the_order_of_its_replies():
    draft = Draft()
    draft.reply(2, answer(0))
    draft.reply(1, answer(0))
    assert [reply.ticket for reply in draft.decision().replies] == [2, 1]


def test_a_failed_append_undoes_every_step_and_answers():
    draft, undone = Draft(), list[ErrorCode]()

    def undo(code: ErrorCode) -> list[Reply]:
        undone.append(code)
        return [Reply(1, answer(code))]

    draft.undo.append(undo)
    draft.undo.append(lambda code: [])
    failed = draft.decision().failed
    assert failed is not None
    assert failed(ErrorCode.NOT_COORDINATOR) == [Reply(1, answer(16))]
    assert undone == [ErrorCode.NOT_COORDINATOR]


def test_what_has_nothing_to_undo_does_not_fail():
    assert Draft().decision().failed is None
