"""Where our answer may differ from Kafka's, each with its reason. Short on purpose.

A line says for which questions it holds, not only for which place in the answer: the same API
asked for anything else must be answered as Kafka does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from moldau.protocol.records.batch import HEADER_SIZE

CLOSED = "closed the connection"
SILENT = "never answered"
NO_ID = bytes(16)
LOGGERS = 8
KINDS = (2, 4, LOGGERS, 16, 32)
"""Of resources that have settings; Kafka reads any other number as one and the same kind."""
UNKNOWN_KIND = 0
INVALID, UNKNOWN_MEMBER, INSIDE = 87, 25, -1
MAX_TIMESTAMP = -3


class Question(NamedTuple):
    """What was asked, and what came back in the place that differs."""

    request: Any
    version: int
    path: str
    ours: Any
    theirs: Any


class Allowed(NamedTuple):
    """A kind of question to which answers may differ."""

    api: str
    holds: Callable[[Question], bool]
    reason: str


def _has_unknown_kinds(asked: Question) -> bool:
    return bool(asked.theirs == CLOSED)


def _fetches_no_id(asked: Question) -> bool:
    return asked.version >= 13 and any(topic.topic_id == NO_ID for topic in asked.request.topics)


def _asks_for_loggers(asked: Question) -> bool:
    return any(one.resource_type == LOGGERS for one in asked.request.resources)


def _reads_internal_records(asked: Question) -> bool:
    return asked.path.endswith("records") and any(
        topic.topic.startswith("__") for topic in asked.request.topics
    )


def _seeks_latest_time(asked: Question) -> bool:
    return any(
        one.timestamp == MAX_TIMESTAMP
        for topic in asked.request.topics
        for one in topic.partitions
        if topic.name == "stamped"
    )


def _names_nothing(asked: Question) -> bool:
    return any(topic.name == "" for topic in asked.request.topics)


def _has_unknown_operation(asked: Question) -> bool:
    operations = {
        config.config_operation for one in asked.request.resources for config in one.configs
    }
    return not operations <= {0, 1, 2, 3}


def _counts_metadata(asked: Question) -> bool:
    is_count = asked.path.endswith(("high_watermark", "log_end_offset", "leader_epoch"))
    return is_count and asked.ours > 0 and asked.theirs > 0


def _fails_inside(asked: Question) -> bool:
    return asked.path.endswith("error_code") and (asked.ours, asked.theirs) == (INVALID, INSIDE)


def _describes_no_shares(asked: Question) -> bool:
    return any(
        not group.group_id or not topic.partitions or min(topic.partitions) < 0
        for group in asked.request.groups
        for topic in group.topics or ()
    )


def _has_epoch_without_member(asked: Question) -> bool:
    groups = asked.request.groups
    is_asked = any(one.member_id is None and one.member_epoch >= 0 for one in groups)
    return is_asked and (asked.ours, asked.theirs) == (UNKNOWN_MEMBER, INSIDE)


def _joins_writes(asked: Question) -> bool:
    return asked.path.endswith("partition_size") and not (asked.ours - asked.theirs) % HEADER_SIZE


def _praises(asked: Question) -> bool:
    return asked.path.endswith("error_message") and not asked.ours


def _asks_for_all_users(request: Any) -> bool:
    return request.users is None


def _names_one_twice(request: Any) -> bool:
    named = [
        (one.resource_type if one.resource_type in KINDS else UNKNOWN_KIND, one.resource_name)
        for one in request.resources
    ]
    return len(set(named)) < len(named)


NEVER_ANSWERED: Mapping[str, Callable[[Any], bool]] = {
    "AlterConfigs": _names_one_twice,
    "DescribeUserScramCredentials": _asks_for_all_users,
}
"""Requests that Kafka may leave without an answer."""


def may_be_silent(api: str, request: Any) -> bool:
    """Whether it is known that Kafka may never answer: it is not worth while to wait for long."""
    return api in NEVER_ANSWERED and NEVER_ANSWERED[api](request)


def _is_never_answered(asked: Question) -> bool:
    api = type(asked.request).__name__.removesuffix("Request")
    return asked.theirs == SILENT and may_be_silent(api, asked.request)


ALLOWED: tuple[Allowed, ...] = (
    Allowed(
        "AlterConfigs",
        _is_never_answered,
        "Kafka never answers where a resource is named twice; both refuse it in the newer call",
    ),
    Allowed(
        "DescribeUserScramCredentials",
        _is_never_answered,
        "Kafka fails while it refuses all users to a caller without access, and never answers",
    ),
    Allowed(
        "DescribeQuorum",
        _counts_metadata,
        "records and leaders of the metadata log are counted by each cluster for itself",
    ),
    Allowed(
        "Produce",
        _fails_inside,
        "Kafka fails inside (-1) over compressed bytes that break off; to us the batch is invalid",
    ),
    Allowed(
        "DescribeShareGroupOffsets",
        _describes_no_shares,
        "Kafka fails inside (-1) over an empty group id, no partitions, and partitions below 0",
    ),
    Allowed(
        "OffsetFetch",
        _has_epoch_without_member,
        "Kafka fails inside (-1) over an epoch without a member; to us the member is unknown",
    ),
    Allowed(
        "DescribeLogDirs",
        _joins_writes,
        "whether two writes of a coordinator share a batch is chance: Kafka lingers over them",
    ),
    Allowed(
        "UpdateFeatures",
        _praises,
        "Kafka says 'NONE' where nothing is wrong",
    ),
    Allowed(
        "IncrementalAlterConfigs",
        _has_unknown_operation,
        "Kafka fails inside (-1) over an operation it does not know; we say what is wrong",
    ),
    Allowed(
        "DescribeConfigs",
        _asks_for_loggers,
        "loggers are named after the modules of a program",
    ),
    Allowed(
        "Fetch",
        _reads_internal_records,
        "records of coordinators hold topic ids and times, which are each node's own",
    ),
    Allowed(
        "DescribeAcls",
        _has_unknown_kinds,
        "Kafka closes the connection upon kinds it does not know; we answer as to any other filter",
    ),
    Allowed(
        "ListOffsets",
        _seeks_latest_time,
        "which batch has the latest time is chance where the node's own clock gives the times",
    ),
    Allowed(
        "Fetch",
        _fetches_no_id,
        "Kafka fails inside (-1) over the empty topic id; to us it is one more unknown id",
    ),
    Allowed(
        "DescribeTopicPartitions",
        _names_nothing,
        "Kafka fails inside (-1) for all topics over one empty name; to us it is one bad name",
    ),
)
SAYS_MORE = "a message has what is wrong also where Kafka has nothing beside the code"


def reason_for(api: str, asked: Question) -> str | None:
    if asked.path.endswith("error_message") and asked.ours and not asked.theirs:
        return SAYS_MORE
    for allowed in ALLOWED:
        if allowed.api == api and allowed.holds(asked):
            return allowed.reason
    return None
