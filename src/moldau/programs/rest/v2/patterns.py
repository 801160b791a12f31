"""Patterns of topics that a client sends: such as take no time of their own.

A pattern runs on the loop that serves all clients. Python's matcher tries ways again and again
where one repetition is inside another, or where several may take the same letters: these are
refused.
"""

from __future__ import annotations

import re
from typing import Final

from moldau.programs.http.messages import HttpError

__all__ = ["topic_pattern"]

LENGTH_MAX: Final = 500
REPETITIONS_MAX: Final = 3
_ESCAPED: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]")
_REPEATED: Final = re.compile(r"[*+?]|\{[0-9,]+\}")
_REPEATED_GROUP: Final = re.compile(r"\)(?:[*+]|\{[0-9,]+\})")
UNPROCESSABLE: Final = 422


def topic_pattern(text: str) -> re.Pattern[str]:
    """Compiled; 422 for what is none, or might take long."""
    if len(text) > LENGTH_MAX:
        raise HttpError(UNPROCESSABLE, f"a topic_pattern has at most {LENGTH_MAX} characters")
    try:
        pattern = re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise HttpError(UNPROCESSABLE, f"topic_pattern is no pattern: {error}") from None
    bare = _ESCAPED.sub("x", text)
    has_references = re.search(r"\\[1-9]|\(\?", text) is not None
    repetitions = len(_REPEATED.findall(bare))
    if has_references or repetitions > REPETITIONS_MAX or _REPEATED_GROUP.search(bare):
        why = "it has references, a repeated group, or more than three repetitions"
        raise HttpError(UNPROCESSABLE, f"topic_pattern might take very long: {why}")
    return pattern
