"""What decodes keys and values where a reader has chosen nothing: rules of a cluster, in order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from moldau.programs.console.formats.declared import PARTS
from moldau.programs.console.formats.offered import Chosen

__all__ = ["AS_USUAL", "UsualFormat", "UsualFormats"]

AS_USUAL: Final = ""
"""As without such rules: by a format of users for the topic, a schema, or what it seems to be."""


class UsualFormat(NamedTuple):
    """One rule."""

    part: str
    topics: str
    """A regular expression, for the whole name."""
    name: str
    """Of a format, or `AS_USUAL`."""


class UsualFormats(NamedTuple):
    """All rules of one cluster; the first that holds decides."""

    rules: tuple[UsualFormat, ...] = ()

    def of(self, topic: str, chosen: Chosen) -> Chosen:
        """What was chosen, or else what is usual for the topic."""
        if not self.rules:
            return chosen
        return Chosen(*(chosen.of(part) or self._name(topic, part) for part in PARTS))

    def sent(self) -> list[list[str]]:
        """As JSON, for the process of a search."""
        return [list(one) for one in self.rules]

    @classmethod
    def received(cls, given: Iterable[Any]) -> UsualFormats:
        return cls(tuple(UsualFormat(*one) for one in given))

    def _name(self, topic: str, part: str) -> str | None:
        for one in self.rules:
            if one.part == part and _compiled(one.topics).fullmatch(topic) is not None:
                return one.name or None
        return None


@lru_cache(maxsize=1000)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)
