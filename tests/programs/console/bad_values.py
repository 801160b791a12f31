"""Values that no form should accept, and a good body for each kind of change to put them into."""

from __future__ import annotations

from typing import Any

TEXTS = (
    "",
    " ",
    "x" * 300,
    "x" * 70_000,
    "-1",
    "1e30",
    "NaN",
    "any",
    "unknown",
    "\u00e9\u6f22\U0001f600",
    "a\0b",
    "a\nb",
    "a,b=c",
    "<script>alert(1)</script>",
    "../../etc",
    "%00%",
    "\ud800",
)
"""The last one is half a letter, which JSON can write and UTF-8 cannot."""
NUMBERS = (
    -1,
    0,
    2**31,
    2**63 - 1,
    2**63,
    10**400,
    -(10**400),
    1.5,
    1e30,
    float("nan"),
    float("inf"),
)
OTHERS: tuple[Any, ...] = (
    None,
    True,
    [],
    {},
    [None],
    [[]],
    {"": None},
    {"x": {}},
    {"0": [2**40]},
    {"9999999999": [1]},
    {"user": ""},
    {"user": 7},
    {"x": "\ud800"},
    {"x": 10**400},
    {"retention.ms": "-9e99"},
    [{"name": "\ud800", "value": 1}],
    ["\ud800"],
)
ALL = (*TEXTS, *NUMBERS, *OTHERS)


def good_bodies(topic, group, subject):
    """By kind of change; each names what is there, where it has to."""
    return {
        **_of_topics(topic),
        **_of_records_and_groups(topic, group),
        **_of_access(topic),
        **_of_the_rest(topic, subject),
    }


def _of_topics(topic):
    return {
        "create-topic": {
            "topic": topic,
            "partitions": 1,
            "replication_factor": 1,
            "configs": {"retention.ms": "1000000"},
        },
        "add-partitions": {"topic": topic, "partitions": 1},
        "delete-topic": {"topic": f"{topic}-none"},
        "delete-topics": {"topics": [f"{topic}-none"]},
        "empty-topics": {"topics": [f"{topic}-none"]},
        "copy-topic": {
            "topic": topic,
            "to": f"{topic}-copy",
            "records": True,
            "replication_factor": 1,
        },
        "alter-configs": {
            "of": "topic",
            "name": topic,
            "set": {"retention.ms": "1000000"},
            "delete": ["max.message.bytes"],
        },
        "reassign": {"topic": topic, "replicas": {"0": [1]}},
        "cancel-reassignment": {"topic": topic},
        "elect-leaders": {"topic": topic},
    }


def _of_records_and_groups(topic, group):
    reset = {"group": group, "topic": topic, "partition": 0, "offset": 0, "by": 0, "time": 0}
    return {
        "produce": {
            "topic": topic,
            "partition": 0,
            "key": "k",
            "key_format": "text",
            "value": "v",
            "value_format": "text",
            "headers": [{"name": "h", "value": "v"}],
        },
        "delete-records": {"topic": topic, "partition": 0, "before": 0},
        "reset-offsets": {**reset, "to": "offset"},
        "reset-offsets/shift": {**reset, "to": "shift"},
        "reset-offsets/time": {**reset, "to": "time"},
        "restore-offsets": {"group": group, "offsets": {f"{topic}-0": 0}},
        "delete-group": {"group": f"{group}-none"},
        "delete-offsets": {"group": group, "topic": topic},
        "remove-member": {"group": group, "member": "none"},
    }


def _of_access(topic):
    rule = {
        "principal": "User:bad-input",
        "permission": "allow",
        "operation": "read",
        "kind": "topic",
        "name": topic,
        "pattern": "literal",
        "host": "*",
    }
    role = {"principal": "User:bad-input", "role": "DeveloperRead", "kind": "topic", "name": topic}
    user = {"user": "bad-input", "mechanism": "scram_sha_256"}
    return {
        "add-acl": rule,
        "remove-acl": rule,
        "set-quota": {
            "entity": {"user": "bad-input"},
            "values": {"producer_byte_rate": 1024},
        },
        "set-user": {**user, "password": "not-a-secret", "iterations": 4096},
        "delete-user": user,
        "grant-role": role,
        "revoke-role": role,
    }


def _of_the_rest(topic, subject):
    schema = {"subject": subject, "schema": '"string"', "type": "AVRO", "references": []}
    return {
        "set-log-level": {"broker": 1, "logger": "root", "level": "INFO"},
        "terminate-transaction": {"id": "none"},
        "abort-transaction": {"topic": topic, "partition": 0, "start_offset": 0},
        "register-schema": schema,
        "delete-schema": {"subject": subject, "version": 7, "permanent": False},
        "set-compatibility": {"subject": subject, "level": "BACKWARD"},
    }
