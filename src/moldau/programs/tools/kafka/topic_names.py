"""Which topics a pattern of a tool stands for: a regular expression, or several with commas."""

from __future__ import annotations

import re
from collections.abc import Iterable

from moldau.errors import MoldauError

__all__ = ["INTERNAL_TOPICS", "InvalidPatternError", "TopicFilter"]

INTERNAL_TOPICS = frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state"})


class InvalidPatternError(MoldauError):
    """It is no regular expression."""


class TopicFilter:
    """As Kafka's `--include` and `--topic` read it: commas are alternatives, quotes are dropped."""

    def __init__(self, pattern: str) -> None:
        text = re.sub(r"\s", "", pattern.strip().replace(",", "|"))
        text = text.strip("\"'")
        try:
            self._pattern = re.compile(text)
        except re.error as error:
            raise InvalidPatternError(f"{text} is an invalid regex.") from error

    def __repr__(self) -> str:
        return f"<TopicFilter {self._pattern.pattern}>"

    def allows(self, topic: str, *, internal: bool = True) -> bool:
        if not internal and topic in INTERNAL_TOPICS:
            return False
        return self._pattern.fullmatch(topic) is not None

    def of(self, topics: Iterable[str], *, internal: bool = True) -> list[str]:
        return [topic for topic in topics if self.allows(topic, internal=internal)]
