"""Asking coordinators."""

from __future__ import annotations

import pytest

from moldau.client.core.coordinators import (
    KeyType,
    ask_coordinator,
    ask_until_done,
    coordinator_refusal,
    find_coordinator,
    forget_coordinator,
)
from moldau.client.errors import (
    AccessDeniedError,
    FencedError,
    RefusedError,
    TimedOutError,
    UnreachableError,
)
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest, EndTxnResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import coordinator
from tests.client.conversation import Conversation, context

REQUEST = EndTxnRequest(transactional_id="tx", producer_id=1, producer_epoch=0, committed=True)
KIND = KeyType.TRANSACTION


def ended(code: ErrorCode = ErrorCode.NONE) -> EndTxnResponse:
    return EndTxnResponse(throttle_time_ms=0, error_code=code)


def telling(around=None) -> Conversation[EndTxnResponse]:
    around = around or context()
    deadline = around.deadline("ending", 0)
    return Conversation(
        ask_until_done(around, KIND, "tx", REQUEST, lambda answer: answer.error_code, deadline)
    )


def test_a_coordinator_is_asked_for_once_by_its_kind():
    around = context()
    deadline = around.deadline("looking", 0)
    talk = Conversation(find_coordinator(around, KIND, "tx", deadline))
    request = talk.asked[0][1]
    assert isinstance(request, FindCoordinatorRequest)
    assert (request.key_type, request.coordinator_keys) == (1, ["tx"])
    assert talk.receives(coordinator(2)).result == 2
    assert Conversation(find_coordinator(around, KIND, "tx", deadline)).result == 2
    forget_coordinator(around, KIND, "tx")
    assert not Conversation(find_coordinator(around, KIND, "tx", deadline)).is_over


def test_one_that_cannot_be_reached_is_looked_for_again_next_time():
    around = context()
    around.coordinators[KIND, "tx"] = 1
    deadline = around.deadline("asking", 0)
    talk = Conversation(ask_coordinator(around, KIND, "tx", REQUEST, deadline))
    error = UnreachableError("b1:9092", "gone")
    assert talk.receives(error).result == (0, error)
    assert around.coordinators == {}


def test_one_that_has_moved_is_found_again():
    talk = telling().receives(coordinator(1)).receives(ended(ErrorCode.NOT_COORDINATOR))
    talk.rests().receives(coordinator(2)).receives(ended())
    assert [node for node, _ in talk.asked] == [None, 1, None, 2]
    assert talk.is_over


def test_what_passes_is_tried_again_until_the_time_is_over():
    talk = telling().receives(coordinator(1))
    talk.receives(ended(ErrorCode.CONCURRENT_TRANSACTIONS)).rests()
    with pytest.raises(TimedOutError, match="CONCURRENT_TRANSACTIONS"):
        talk.receives(ended(ErrorCode.CONCURRENT_TRANSACTIONS), later_ms=60_000)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (ErrorCode.PRODUCER_FENCED, FencedError),
        (ErrorCode.INVALID_PRODUCER_EPOCH, FencedError),
        (ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, AccessDeniedError),
        (ErrorCode.INVALID_TXN_STATE, RefusedError),
    ],
)
def test_what_does_not_pass_ends_it(code, kind):
    assert isinstance(coordinator_refusal(KIND, "tx", code), kind)
    with pytest.raises(kind):
        telling().receives(coordinator(1)).receives(ended(code))
