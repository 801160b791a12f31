"""Patterns by which metadata tags fields: `?` and `*` stay within a name, `**` goes over dots."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["matches"]

WILD: Final = {"**": ".*", "*": "[^.]*", "?": "[^.]"}
PARTS: Final = re.compile(r"\*\*|\*|\?|[^*?]+")


def matches(pattern: str, name: str) -> bool:
    """Whether the whole name is as the pattern has it."""
    return _compiled(pattern).fullmatch(name) is not None


@lru_cache(maxsize=1000)
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = PARTS.findall(pattern.replace("**.*", "**"))
    return re.compile("".join(WILD.get(part) or re.escape(part) for part in parts))
