"""One line of JSON for each published run, so that a change over months can be seen."""

from __future__ import annotations

import json
from pathlib import Path

from bench.versus.figures import RunResult


def line_of(result: RunResult) -> str:
    """Date, commit, machine, and the medians of both sides by case and measure."""
    medians = {
        case.name: {
            one.measure: [rounded(one.their_median), rounded(one.our_median)]
            for one in case.compared
        }
        for case in result.cases
    }
    kept = {"date": result.date, "commit": result.commit, "machine": result.machine["kind"]}
    return json.dumps({**kept, "medians of Apache Kafka and Moldau": medians})


def rounded(value: float) -> float:
    return float(f"{value:.4g}")


def append_line(path: Path, result: RunResult) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(line_of(result) + "\n")
