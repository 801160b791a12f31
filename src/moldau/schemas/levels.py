"""The seven levels of compatibility: which versions have to read which."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from moldau.schemas.parsed import Difference, Language, ParsedSchema

__all__ = ["Level", "broken_rules"]


class Level(StrEnum):
    """Which versions before it the next version of a subject is held against."""

    NONE = "NONE"
    BACKWARD = "BACKWARD"
    BACKWARD_TRANSITIVE = "BACKWARD_TRANSITIVE"
    FORWARD = "FORWARD"
    FORWARD_TRANSITIVE = "FORWARD_TRANSITIVE"
    FULL = "FULL"
    FULL_TRANSITIVE = "FULL_TRANSITIVE"

    @property
    def is_transitive(self) -> bool:
        return self.endswith("_TRANSITIVE")

    @property
    def reads_old(self) -> bool:
        return self.startswith(("BACKWARD", "FULL"))

    @property
    def is_read_by_old(self) -> bool:
        return self.startswith(("FORWARD", "FULL"))


def broken_rules(
    language: Language,
    level: Level,
    schema: ParsedSchema,
    earlier: Sequence[ParsedSchema],
    *,
    lenient: bool = False,
) -> tuple[int, list[Difference]] | None:
    """The index of the newest version it does not fit, and why; None where it fits all it has to.

    `earlier` are the versions before it, oldest first; `lenient` as in `Language.differences`.
    """
    if level is Level.NONE:
        return None
    first = 0 if level.is_transitive else max(len(earlier) - 1, 0)
    for index in range(len(earlier) - 1, first - 1, -1):
        found = _of_pair(language, level, schema, earlier[index], lenient=lenient)
        if found:
            return index, found
    return None


def _of_pair(
    language: Language, level: Level, schema: ParsedSchema, old: ParsedSchema, *, lenient: bool
) -> list[Difference]:
    found: list[Difference] = []
    if level.reads_old:
        found += language.differences(schema, old, lenient=lenient)
    if level.is_read_by_old:
        found += language.differences(old, schema, lenient=lenient)
    return found
