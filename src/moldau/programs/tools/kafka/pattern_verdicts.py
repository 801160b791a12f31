"""What `consumer-groups --validate-regex` prints: whether brokers would take a pattern.

They read patterns as RE2 does, and so it is their reader that is asked.
"""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.patterns import parse_pattern
from moldau.errors import KafkaError

__all__ = ["verdict"]


def verdict(pattern: str) -> str:
    """One sentence; what is wrong is in RE2's words, without the place."""
    try:
        parse_pattern(pattern)
    except KafkaError as error:
        why, _, _ = str(error.__cause__).partition(":")
        return f"The regular expression `{pattern}` is invalid: {why}."
    return f"The regular expression `{pattern}` is valid."
