"""What a run has left behind, read from its tables: whether it adds up, and a page about it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

import numpy as np
import pyspark

from moldau import __version__
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files, replace_whole
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.pipeline import Pipeline
from moldau.programs.pipelines.plots import DAY_MS, HOUR_MS, Point
from moldau.programs.pipelines.reconciliation import Reconciled, reconcile, rows_of
from moldau.programs.pipelines.report import Chart, Report, Setting, Table, page
from moldau.programs.pipelines.route import Route
from moldau.programs.pipelines.settings import described

__all__ = ["Run", "Shown", "opening_line", "query_line", "reconciled_tables", "write_report"]

BARS_MAX = 12
HOURS_MAX = 72
"""A chart over a longer time has a column for each day."""
MS_PER_S = 1_000
ALL = "select * from t"
SECRET = re.compile("password|secret|token|key|jaas|credential", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of a pipeline that is reported on."""

    pipeline: Pipeline
    route: Route
    settings: Any
    """An instance of the pipeline's own."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """Further lines for the head of the page, such as the seed."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The report of a run, and where it is."""

    reconciled: Reconciled
    report_path: str
    paths: Mapping[str, str]
    """Table → where it is."""


def reconciled_tables(pipeline: Pipeline, route: Route) -> Reconciled:
    """What its tables hold, beside what its batches say."""
    return reconcile(route.lake, route.storage, list(pipeline.tables))


def write_report(run: Run, path: str, files: Files, clock: Clock) -> Shown:
    """A page about all that the lake has seen."""
    pipeline, route = run.pipeline, run.route
    reconciled = reconciled_tables(pipeline, route)
    paths = {name: route.table(name) for name in pipeline.tables}
    rows = reconciled.rows
    report = Report(
        title=f"Pipeline {pipeline.name}",
        description=f"{pipeline.description[0].upper()}{pipeline.description[1:]}.",
        facts=_facts(run, clock.now_ms()),
        settings=_settings(run),
        reconciled=reconciled,
        tables=[
            Table(name, rows.get(name, 0), place, opening_line(place, route.storage))
            for name, place in paths.items()
        ],
        query=query_line(route.table(pipeline.tables[0]), route.storage),
        charts=[*_charts(run), _reasons(route)],
    )
    replace_whole(files, path, page(report).encode())
    return Shown(reconciled, path, paths)


def opening_line(path: str, storage: Mapping[str, str]) -> str:
    """A line of Python that reads the table; the store's credentials are left to be filled in,
    since they may be secret."""
    return f"import deltalake, pyarrow; pyarrow.table({_rows_in(path, storage)}).to_pandas()"


def query_line(path: str, storage: Mapping[str, str]) -> str:
    """A line of Python that asks the table in SQL."""
    rows = _rows_in(path, storage)
    return f"import deltalake, duckdb; rows = {rows}; duckdb.sql('from rows limit 10').show()"


def _rows_in(path: str, storage: Mapping[str, str]) -> str:
    """Not through pyarrow's files, so that a program of one line ends well (lake/scanning.py)."""
    shown = ", ".join(f"{name!r}: '…'" for name in storage)
    more = f", storage_options={{{shown}}}" if shown else ""
    table = f"deltalake.DeltaTable({path!r}{more})"
    return f"deltalake.QueryBuilder().register('t', {table}).execute({ALL!r})"


def _facts(run: Run, now_ms: int) -> dict[str, str]:
    written = np.datetime64(now_ms // MS_PER_S, "s").item()
    route = run.route
    facts = {
        "written": f"{written:%d %B %Y, %H:%M:%S} UTC",
        "from": f"topic {route.topic} at {route.bootstrap}",
        "to": route.lake,
        "checkpoint": route.checkpoint,
        **run.facts,
        "software": f"Moldau {__version__}, Spark {pyspark.__version__}",
    }
    for name, text in route.source.items():
        facts[f"option {name}"] = "(not shown)" if SECRET.search(name) else text
    return facts


def _settings(run: Run) -> list[Setting]:
    found = []
    for name, default, description in described(run.pipeline.settings):
        value = getattr(run.settings, name)
        text = str(value).lower() if isinstance(value, bool) else str(value)
        text = text or "(nothing)"
        found.append(Setting(name, text, description, is_default=text == default))
    return found


def _charts(run: Run) -> Iterator[Chart]:
    """Those of the pipeline; one whose table has no such columns as yet is empty."""
    for title, (table, group, measure) in run.pipeline.charts.items():
        rows = rows_of(run.route.table(table), run.route.storage)
        pairs = [(row[group], row[measure] or 0) for row in rows if group in row and measure in row]
        yield _chart(title, measure, pairs)


def _chart(title: str, unit: str, pairs: list[tuple[Any, float]]) -> Chart:
    times = [(int(at.timestamp() * MS_PER_S), value) for at, value in pairs if _is_time(at)]
    if times:
        return Chart(title, unit, points=_over_time(times))
    sums: dict[str, float] = defaultdict(float)
    for name, value in pairs:
        sums[str(name)] += value
    bars = sorted(sums.items(), key=lambda bar: -bar[1])
    return Chart(title, unit, bars=bars[:BARS_MAX])


def _is_time(value: object) -> bool:
    return hasattr(value, "timestamp")


def _over_time(times_ms: list[Point]) -> list[Point]:
    """Sums by the hour, or by the day."""
    for period_ms in (HOUR_MS, DAY_MS):
        sums: dict[int, float] = defaultdict(float)
        for time_ms, value in times_ms:
            sums[time_ms - time_ms % period_ms] += value
        times_ms = sorted(sums.items())
        if times_ms[-1][0] - times_ms[0][0] < HOURS_MAX * HOUR_MS:
            break
    return times_ms


def _reasons(route: Route) -> Chart:
    letters = rows_of(route.table("dead_letters"), route.storage, ["reason"])
    counts = Counter(str(row["reason"]) for row in letters)
    return Chart("Dead letters by reason", "records", bars=counts.most_common())
