"""What is refused, with the codes of Confluent's proxy: clients look at the code, not at the text.

The first three digits of a code are the status of HTTP, and a code of three digits is a status.
"""

from __future__ import annotations

from typing import Final

from moldau.client.errors import (
    AccessDeniedError,
    ClientError,
    InvalidArgumentError,
    RecordTooLargeError,
    TimedOutError,
    UnknownTopicError,
    UnreachableError,
)
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.programs.http.messages import HttpError
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Refusal", "absent", "bad_data", "bad_request", "refuse", "refused", "unprocessable"]

STATUS_DIGITS: Final = 3


class Refusal:
    """Codes."""

    BAD_REQUEST: Final = 40002
    AUTHENTICATION: Final = 40101
    AUTHORIZATION: Final = 40301
    TOPIC_NOT_FOUND: Final = 40401
    PARTITION_NOT_FOUND: Final = 40402
    UNKNOWN_TOPIC_OR_PARTITION: Final = 40403
    """The same number as the next one: the first is of v3, the second of v2."""
    INSTANCE_NOT_FOUND: Final = 40403
    SCHEMA_NOT_FOUND: Final = 40405
    FORMAT_MISMATCH: Final = 40601
    SERIALIZATION: Final = 40801
    INSTANCE_EXISTS: Final = 40902
    ILLEGAL_STATE: Final = 40903
    MISSING_KEY_SCHEMA: Final = 42201
    MISSING_VALUE_SCHEMA: Final = 42202
    NOT_CONVERTIBLE: Final = 42203
    """A record that is read, and is not of its schema."""
    INVALID_CONSUMER: Final = 42204
    INVALID_SCHEMA: Final = 42205
    INVALID_PAYLOAD: Final = 42206
    WITHOUT_SCHEMA: Final = 42207
    """The registry does not have it, or does not answer."""
    INVALID_BATCH: Final = 42208
    KAFKA: Final = 50002
    KAFKA_RETRIABLE: Final = 50003


DENIED: Final = frozenset(code for code in ErrorCode if code.name.endswith("AUTHORIZATION_FAILED"))
BAD_REQUESTS: Final = frozenset(
    {
        ErrorCode.TOPIC_ALREADY_EXISTS,
        ErrorCode.INVALID_TOPIC_EXCEPTION,
        ErrorCode.INVALID_PARTITIONS,
        ErrorCode.INVALID_REPLICATION_FACTOR,
        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
        ErrorCode.INVALID_CONFIG,
        ErrorCode.INVALID_REQUEST,
        ErrorCode.INVALID_RECORD,
        ErrorCode.POLICY_VIOLATION,
        ErrorCode.SECURITY_DISABLED,
        ErrorCode.UNSUPPORTED_VERSION,
        ErrorCode.REASSIGNMENT_IN_PROGRESS,
        ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC,
    }
)
"""What the caller asked for cannot be."""


def refuse(code: int, message: str) -> HttpError:
    return HttpError(int(str(code)[:STATUS_DIGITS]), message, code)


def bad_request(message: str) -> HttpError:
    return HttpError(400, message)


def bad_data(message: str) -> HttpError:
    """For a key or a value that cannot be turned into bytes."""
    return HttpError(400, f"Bad Request: {message}")


def unprocessable(message: str) -> HttpError:
    """For JSON that is not what the path takes."""
    return HttpError(422, message)


def absent(what: str) -> HttpError:
    """`Broker 7`, `Consumer Group x`."""
    return HttpError(404, f"{what} cannot be found.")


def refused(error: MoldauError) -> HttpError:
    """What the client or the cluster did not do, as a response."""
    match error:
        case HttpError():
            return error
        case AccessDeniedError():
            return refuse(Refusal.AUTHORIZATION, str(error))
        case UnknownTopicError():
            return refuse(Refusal.UNKNOWN_TOPIC_OR_PARTITION, str(error))
        case InvalidArgumentError() | RecordTooLargeError() | SettingError():
            return refuse(Refusal.BAD_REQUEST, str(error))
        case TimedOutError() | UnreachableError():
            return refuse(Refusal.KAFKA_RETRIABLE, str(error))
        case ClientError():
            return _of_code(error)
        case _:
            return HttpError(500, str(error))


def _of_code(error: ClientError) -> HttpError:
    """By the code that a broker gave, where it gave one."""
    code = getattr(error, "error", None)
    text = getattr(error, "detail", None) or str(error)
    if code in DENIED:
        return refuse(Refusal.AUTHORIZATION, text)
    if code in (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID):
        return refuse(Refusal.UNKNOWN_TOPIC_OR_PARTITION, text)
    if code is ErrorCode.GROUP_ID_NOT_FOUND:
        return HttpError(404, text)
    if code in BAD_REQUESTS:
        return refuse(Refusal.BAD_REQUEST, text)
    if isinstance(code, ErrorCode) and code.retriable:
        return refuse(Refusal.KAFKA_RETRIABLE, text)
    return refuse(Refusal.KAFKA, text)
