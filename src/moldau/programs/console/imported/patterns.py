"""Regular expressions of Java, in files, as Python reads them.

Most are the same in both. What Python would take and mean otherwise, or does not know, is refused:
a mask that does not match shows what it was to hide.
"""

from __future__ import annotations

import re
from typing import Final

from moldau.programs.console.imported.fields import Fields

__all__ = ["pattern_of"]

ESCAPED: Final = re.compile(r"\\.", re.DOTALL)
NESTED: Final = re.compile(r"\[\]?[^\]]*(?:\[|&&)")
"""Classes in classes, and what two have in common."""


def pattern_of(fields: Fields, name: str) -> str:
    """The text of a pattern; empty where it is missing."""
    value = fields.pop(name)
    text = fields.source.text(value)
    if value is None or not text:
        return ""
    if NESTED.search(ESCAPED.sub("", text)):
        value.fail("this pattern has a class in a class, or &&: write it without")
    try:
        re.compile(text, re.ASCII)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        reason = getattr(error, "msg", None) or "it is none"
        value.fail(f"this pattern cannot be used here ({reason}): write it without")
    return text
