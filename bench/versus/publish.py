"""Writes a full run where people look: docs/performance/, docs/performance.md and the README.

The pages have a pair of markers each; what stands between them is replaced, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench._published import markers, put_between
from bench.versus.figures import RunResult
from bench.versus.history import append_line
from bench.versus.plot import plot
from bench.versus.progress import clock
from bench.versus.table import floors_table, goals_table, markdown_table, verdict_line

NAME = "versus"
BEGINS, ENDS = markers(NAME)
FOLDER = "docs/performance"


def publish(root: Path, result: RunResult) -> None:
    folder = root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    kept = json.dumps(result.as_json(), indent=1, ensure_ascii=False)
    (folder / "latest.json").write_text(kept + "\n")
    (folder / "versus.svg").write_text(plot(result))
    append_line(folder / "history.jsonl", result)
    replace_between(root / "README.md", in_short(result))
    replace_between(root / "docs" / "performance.md", in_full(result))


def replace_between(page: Path, lines: Iterable[str]) -> None:
    found = put_between(page.read_text(), NAME, lines)
    if found is None:
        raise ValueError(f"{page} has no pair of markers for the results.")
    page.write_text(found)


def in_short(result: RunResult) -> Iterator[str]:
    yield ""
    yield f"![ratios, speeds and waiting times]({FOLDER}/versus.svg)"
    yield ""
    yield f"{where(result)} {verdict_line(result.cases)}; all measures are in"
    yield "[docs/performance.md](docs/performance.md)."
    yield ""
    yield from goals_table(result)
    yield ""


def in_full(result: RunResult) -> Iterator[str]:
    yield ""
    yield "![ratios, speeds and waiting times](performance/versus.svg)"
    yield ""
    yield f"{where(result)} {verdict_line(result.cases)}. Every sample is in"
    yield "[latest.json](performance/latest.json), the medians of earlier runs are in"
    yield "[history.jsonl](performance/history.jsonl)."
    yield ""
    yield "The nodes' settings beyond their defaults:"
    yield ""
    yield from (f"- {one}" for one in result.settings)
    yield ""
    yield from markdown_table(result)
    yield ""
    yield "Broker CPU as a multiple of the bare loop's, for the same bytes:"
    yield ""
    yield from floors_table(result)
    yield ""


def where(result: RunResult) -> str:
    facts = "; ".join(f"{key}: {value}" for key, value in result.machine.items() if key != "kind")
    return (
        f"{result.date}, commit {result.commit}, {result.machine['kind']} ({facts});"
        f" {clock(result.seconds)} minutes."
    )
