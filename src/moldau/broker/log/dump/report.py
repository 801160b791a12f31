"""What a dump shows, and what it found wrong on the way.

Each piece of output is one `Shown`: a line as Kafka's own tool prints it, and the same as fields
for programs. Findings come last, by kind and file, in Kafka's order and words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from moldau.broker.log.producers.java_hash_map import in_map_order, table_size


class Shown(NamedTuple):
    """One line of a dump."""

    kind: str
    fields: dict[str, object]
    text: str


def words_text(fields: dict[str, object]) -> str:
    """`name: value` for each, with Java's words for true and false."""
    return " ".join(f"{name}: {_word(value)}" for name, value in fields.items())


def optional_text(number: int | None) -> str:
    """As Java shows a number that may be missing."""
    return "OptionalLong.empty" if number is None else f"OptionalLong[{number}]"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Findings:
    """One kind of finding: by file, pairs of what is there and what should be."""

    def __init__(self, title: str, words: str) -> None:
        self._title = title
        self._words = words
        self.by_path: dict[str, list[tuple[int, int]]] = {}

    def add(self, path: str, first: int, second: int) -> None:
        self.by_path.setdefault(path, []).append((first, second))

    def lines(self) -> Iterator[str]:
        for path, pairs in self.by_path.items():
            yield self._title.format(path)
            for first, second in self._ordered(pairs):
                yield self._words.format(first, second)

    def _ordered(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        return pairs


class MappedFindings(Findings):
    """A kind of which Kafka keeps one for each first number, in a hash map."""

    def _ordered(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        unique = list(dict(pairs).items())
        return in_map_order(unique, lambda pair: pair[0], table_size(len(unique)))


class Report:
    """All findings of a run over several files."""

    def __init__(self) -> None:
        self.index_mismatches = MappedFindings(
            "Mismatches in :{}", "  Index offset: {}, log offset: {}"
        )
        self.timestamp_mismatches = Findings(
            "Found timestamp mismatch in :{}", "  Index timestamp: {}, log timestamp: {}"
        )
        self.disordered_timestamps = Findings(
            "Found out of order timestamp in :{}",
            "  Index timestamp: {}, Previously indexed timestamp: {}",
        )
        self.missing_offsets = Findings(
            "The following indexed offsets are not found in :{}",
            "Indexed offset: {}, found log offset: {}",
        )
        self.gaps = MappedFindings("Non-consecutive offsets in {}", "  {} is followed by {}")

    def check_consecutive(self, path: str, previous: int, offset: int) -> None:
        if offset != previous + 1:
            self.gaps.add(path, previous, offset)

    def lines(self) -> Iterator[str]:
        """What to report at the end; nothing where nothing is wrong."""
        for findings in (
            self.index_mismatches,
            self.timestamp_mismatches,
            self.disordered_timestamps,
            self.missing_offsets,
            self.gaps,
        ):
            yield from findings.lines()
