"""What a cluster or a registry refuses, as a response of the console.

As by the REST proxy, whose codes clients know. That gives 500 to all that Confluent's names no code
for; here it is what it is for a person: something that is not there, or something that was asked
wrongly. What is left of 500 is a broker's own trouble.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from moldau.client.errors import TimedOutError, UnknownTopicError, UnreachableError
from moldau.client.schemas import RegistryError
from moldau.errors import MoldauError
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.refusals import refused
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["no_partition", "no_such", "refused_here"]

WRONG: Final = 400
UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403
UNKNOWN: Final = 404
FAILED: Final = 500
ABSENT: Final = (ErrorCode.RESOURCE_NOT_FOUND, ErrorCode.TRANSACTIONAL_ID_NOT_FOUND)
TROUBLES: Final = (ErrorCode.UNKNOWN_SERVER_ERROR, ErrorCode.KAFKA_STORAGE_ERROR)

PAGES: Final[Mapping[str, str]] = {
    "broker": "Cluster",
    "group": "Groups",
    "subject": "Schemas",
    "topic": "Topics",
}
"""Which one has all of these."""
TOPICS: Final = "the page Topics has those that there are, with their partitions"
ABSENT_IN_REGISTRY: Final[Mapping[int, str]] = {
    40401: "the page Schemas has those that there are",
    40402: "the page of the subject has its versions",
}
"""By the code that it gives."""
REMEDIES: Final[Mapping[ErrorCode, str]] = {
    ErrorCode.INVALID_PARTITIONS: "give a larger number",
    ErrorCode.INVALID_REPLICATION_FACTOR: "give 1 or more, and no more than brokers that serve",
    ErrorCode.INVALID_TOPIC_EXCEPTION: (
        "a name has 1 to 249 letters from a to z and A to Z, digits, '.', '_' and '-'"
    ),
    ErrorCode.OFFSET_OUT_OF_RANGE: "the page of the topic has first offsets and ends",
    ErrorCode.POLICY_VIOLATION: "ask who runs the cluster for what its policy allows",
    ErrorCode.REASSIGNMENT_IN_PROGRESS: "wait until the page Reassignments is empty",
    ErrorCode.SECURITY_DISABLED: "set authorizer.class.name at every node",
    ErrorCode.TOPIC_ALREADY_EXISTS: "choose another name",
    ErrorCode.TRANSACTIONAL_ID_NOT_FOUND: "the page Transactions has those that there are",
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: TOPICS,
    ErrorCode.UNSUPPORTED_VERSION: "brokers of a later version can do it",
}
"""Of what brokers refuse with a cause alone."""
IN_SETTINGS: Final[Mapping[str, str]] = {
    "Not a number of type DOUBLE": "write a number, such as 0.5",
    "Not a number of type": "write a whole number without a unit",
    "config name": "the page of settings has their names",
}
"""By what is in a sentence about a setting, which names its bounds itself."""
OUT_OF_REACH: Final = "look whether its brokers run, and whether the console has their addresses"


def no_such(what: str, name: str) -> HttpError:
    """For a name that the cluster or its registry has not; `what` is in `PAGES`."""
    there = f"the page {PAGES[what]} has those that there are"
    return HttpError(UNKNOWN, f"There is no {what} {name}; {there}")


def no_partition(topic: str, number: int | str, count: int) -> HttpError:
    """For one that the topic has not, of so many."""
    return HttpError(UNKNOWN, f"Topic {topic} has no partition {number}; it has 0 to {count - 1}")


def refused_here(error: MoldauError) -> HttpError:
    """A browser must not ask for a password because the registry wants one: that is a 403."""
    if isinstance(error, RegistryError):
        status = FORBIDDEN if error.status == UNAUTHORIZED else error.status
        remedy = ABSENT_IN_REGISTRY.get(error.code)
        cause = error.message if remedy is None else f"{error.message.rstrip('.')}; {remedy}"
        return HttpError(status, f"The registry refuses it: {cause}")
    found = refused(error)
    if _is_out_of_reach(error):
        return HttpError(found.status, f"{found}; {OUT_OF_REACH}", found.code)
    code = getattr(error, "error", None)
    if isinstance(error, UnknownTopicError):
        return HttpError(found.status, f"{found}; {TOPICS}", found.code)
    if isinstance(code, ErrorCode):
        found = HttpError(found.status, _with_remedy(str(found), code), found.code)
    if found.status != FAILED or not isinstance(code, ErrorCode) or code.retriable:
        return found
    if code in TROUBLES:
        return found
    return HttpError(UNKNOWN if code in ABSENT else WRONG, str(found))


def _is_out_of_reach(error: MoldauError) -> bool:
    """Nothing answered, at once or until the time was over."""
    cause = error.cause if isinstance(error, TimedOutError) else error
    return isinstance(cause, UnreachableError)


def _with_remedy(sentence: str, code: ErrorCode) -> str:
    remedy = REMEDIES.get(code)
    if code is ErrorCode.INVALID_CONFIG:
        remedy = next((one for part, one in IN_SETTINGS.items() if part in sentence), None)
    if remedy is None or ";" in sentence:
        return sentence  # it has one
    return f"{sentence.rstrip('.')}; {remedy}"
