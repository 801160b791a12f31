"""Errors of clients: one sentence each, with the cause and the remedy."""

from __future__ import annotations

import pytest

from moldau.client.errors import (
    AccessDeniedError,
    ClientError,
    ClosedError,
    LogTruncatedError,
    OffsetGoneError,
    OldFormatError,
    RefusedError,
    TimedOutError,
    UnknownTopicError,
    UnreachableError,
    UnsupportedSettingError,
    refusal,
)
from moldau.client.topic_partition import TopicPartition
from moldau.errors import KafkaError, MoldauError
from moldau.protocol.wire.error_codes import ErrorCode

PART = TopicPartition("orders", 3)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (UnreachableError("h:9092", "connection refused"), ["h:9092", "connection refused"]),
        (TimedOutError("waiting", 60, ClosedError()), ["waiting", "60 ms", "closed"]),
        (UnsupportedSettingError("a.b", "c", "use d"), ["a.b=c", "use d"]),
        (AccessDeniedError("topic t", "READ"), ["topic t", "grant READ"]),
        (UnknownTopicError("t", "is not there"), ["topic t is not there"]),
        (OffsetGoneError(PART, 5, 10, 20), ["orders-3", "5", "10 to 20", "retention"]),
        (OffsetGoneError(PART, 25, 10, 20), ["25", "another cluster"]),
        (LogTruncatedError(PART, 25, 20), ["from 20 to 24", "read again from 20"]),
        (OldFormatError(PART, 5, 1), ["format 1 at offset 5", "Java client"]),
        (ClosedError(), ["make a new one"]),
    ],
)
def test_an_error_names_the_thing_the_cause_and_the_remedy(error, words):
    assert [word for word in words if word not in str(error)] == []
    assert isinstance(error, ClientError)
    assert isinstance(error, MoldauError)


def test_a_refusal_keeps_the_code_and_says_what_it_means():
    error = refusal("topic t", ErrorCode.INVALID_TOPIC_EXCEPTION)
    assert isinstance(error, RefusedError)
    assert isinstance(error, KafkaError)
    assert (error.code, error.error) == (17, ErrorCode.INVALID_TOPIC_EXCEPTION)
    assert "INVALID_TOPIC_EXCEPTION" in str(error)


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.TOPIC_AUTHORIZATION_FAILED,
        ErrorCode.GROUP_AUTHORIZATION_FAILED,
        ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
    ],
)
def test_a_missing_right_has_an_error_of_its_own(code):
    assert isinstance(refusal("it", code), AccessDeniedError)
