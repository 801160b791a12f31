"""The subject that a schema is registered under: Confluent's subject name strategies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from moldau.schemas.data_errors import DataError

__all__ = ["STRATEGIES", "SubjectOf", "subject_of_topic", "subject_strategy"]

SubjectOf: TypeAlias = Callable[[str, bool, str | None], str]
"""Of the topic, whether it is the key's, and the full name of the record."""


def subject_of_topic(topic: str, is_key: bool, record: str | None) -> str:
    return f"{topic}-key" if is_key else f"{topic}-value"


def _of_record(topic: str, is_key: bool, record: str | None) -> str:
    return _named(topic, record)


def _of_topic_and_record(topic: str, is_key: bool, record: str | None) -> str:
    return f"{topic}-{_named(topic, record)}"


def _named(topic: str, record: str | None) -> str:
    if record is None:
        raise DataError(f"the schema for {topic} has no name, and its subject needs one")
    return record


STRATEGIES: Final[Mapping[str, SubjectOf]] = {
    "TopicNameStrategy": subject_of_topic,
    "RecordNameStrategy": _of_record,
    "TopicRecordNameStrategy": _of_topic_and_record,
}
SHORT: Final = {
    "topic": "TopicNameStrategy",
    "record": "RecordNameStrategy",
    "topic_record": "TopicRecordNameStrategy",
}


def subject_strategy(name: str) -> SubjectOf:
    """By its short name, or by that of Java's class with or without its package."""
    last = name.rpartition(".")[2]
    found = STRATEGIES.get(SHORT.get(last.lower(), last))
    if found is None:
        raise DataError(f"there is no strategy {name!r} for subjects: there are {', '.join(SHORT)}")
    return found
