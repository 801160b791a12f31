"""Which names a topic may have."""

from __future__ import annotations

from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

LENGTH_MAX = 249
"""A directory is named after topic and partition, and must still fit with a suffix."""
LEGAL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def check_name(name: str) -> None:
    """Refuse what cannot be a topic's name."""
    if not name:
        _refuse("a topic's name must not be empty")
    if name in (".", ".."):
        _refuse(f"a topic cannot be called {name!r}, which names a directory everywhere")
    if len(name) > LENGTH_MAX:
        _refuse(f"the topic's name has {len(name)} characters; {LENGTH_MAX} is the limit")
    if not LEGAL.issuperset(name):
        _refuse(f"the topic's name {name!r} has others than letters, digits, '.', '_' and '-'")


def metric_name(name: str) -> str:
    """What metrics call the topic: there, `.` and `_` are one."""
    return name.replace(".", "_")


def _refuse(text: str) -> None:
    raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, text)
