"""How long a call goes on trying."""

from __future__ import annotations

from random import Random

import pytest

from moldau.client.core.retry_deadline import RetryDeadline
from moldau.client.errors import RefusedError, TimedOutError, UnreachableError
from moldau.network.outgoing.backoff import Backoff
from moldau.protocol.wire.error_codes import ErrorCode

CAUSE = UnreachableError("b1:9092", "connection refused")


def deadline(timeout_ms: int = 1000) -> RetryDeadline:
    return RetryDeadline("asking", 0, timeout_ms, Backoff(Random(1), 100, 1000))


def test_each_pause_is_longer_than_the_one_before():
    waiting = deadline()
    pauses = [waiting.pause(0, CAUSE).duration_ms for _ in range(3)]
    assert pauses == sorted(pauses)
    assert waiting.tries == 3


def test_a_transaction_that_is_just_ending_is_waited_for_in_short_steps():
    waiting, cause = deadline(), RefusedError("t", ErrorCode.CONCURRENT_TRANSACTIONS)
    pauses = [waiting.pause(0, cause).duration_ms for _ in range(12)]
    assert pauses[:4] == [5, 10, 20, 40]
    assert max(pauses) <= 1200  # no longer than any other wait


def test_the_last_pause_ends_with_the_time_of_the_call():
    assert deadline().pause(990, CAUSE).duration_ms == 10


def test_when_the_time_is_over_the_last_cause_is_reported():
    with pytest.raises(TimedOutError, match=r"asking after 1000 ms.*b1:9092: connection refused"):
        deadline().pause(1000, CAUSE)
