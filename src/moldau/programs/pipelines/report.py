"""A page about a run: what came, what became of it, whether it adds up, and a few pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from html import escape

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.plots import STYLE as STYLE_OF_PLOTS
from moldau.programs.pipelines.plots import Point, bar_chart, column_chart, time_chart
from moldau.programs.pipelines.reconciliation import Reconciled, rate_of

__all__ = ["Chart", "Report", "Setting", "Table", "page"]

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
       color: #222; background: #fff; }
h1 { margin-bottom: .2rem; } h2 { margin: 2rem 0 .6rem; font-size: 1.15rem; }
table { border-collapse: collapse; }
.wide { overflow-x: auto; margin: .5rem 0 1.5rem; }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; border-bottom: 1px solid #ddd;
         font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; }
code, .path { font: 12.5px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.path { text-align: left; }
.facts th { padding-right: 1.2rem; font-weight: normal; color: #666; white-space: nowrap; }
.facts td, .facts th, .words td, .words th { text-align: left; vertical-align: top; }
.facts td, .words td:nth-child(2) { overflow-wrap: anywhere; }
.words td:nth-child(2) { min-width: 5rem; }
.changed td { font-weight: 600; }
ul { padding-left: 1.2rem; }
.well { color: #2e6b3a; } .ill { color: #a3271b; } .well, .ill { font-weight: 600; }
"""
BATCHES_SHOWN = 50
CHANGED = ' class="changed"'


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars under a title, or columns over time."""

    title: str
    unit: str = ""
    """What its numbers count."""
    bars: Sequence[tuple[str, float]] = ()
    points: Sequence[Point] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of the pipeline, as it was."""

    name: str
    value: str
    description: str
    is_default: bool


@dataclass(frozen=True, slots=True)
class Table:
    """One table, and how to open it."""

    name: str
    rows: int
    path: str
    opening: str
    """A line of Python."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a page is made of."""

    title: str
    description: str
    reconciled: Reconciled
    tables: Sequence[Table]
    facts: Mapping[str, str] = field(default_factory=dict)
    """When, from where, to where."""
    settings: Sequence[Setting] = ()
    query: str = ""
    """A line of Python that asks a table in SQL."""
    charts: Sequence[Chart] = field(default_factory=tuple)


def page(report: Report) -> str:
    """The whole page as HTML."""
    title = escape(report.title)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}{STYLE_OF_PLOTS}</style></head>"
        f"<body><h1>{title}</h1><p>{escape(report.description)}</p>{_facts(report)}"
        f"{_verdict(report.reconciled)}<h2>Records by batch</h2>{_batches(report.reconciled)}"
        f"{''.join(map(_chart, report.charts))}<h2>Tables</h2>{_tables(report)}"
        f"<h2>Settings</h2>{_settings(report)}</body></html>\n"
    )


def _facts(report: Report) -> str:
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>"
        for name, text in report.facts.items()
    )
    return f'<table class="facts">{rows}</table>'


def _chart(chart: Chart) -> str:
    if chart.points:
        picture = time_chart(chart.points, chart.unit)
    else:
        picture = bar_chart(chart.bars, chart.unit)
    return f"<h2>{escape(chart.title)}</h2>{picture}"


def _verdict(found: Reconciled) -> str:
    sentence = escape(f"{found.sentence[0].upper()}{found.sentence[1:]}.")
    if not found.differences:
        return f'<p class="well">{sentence}</p>'
    listed = "".join(f"<li>{escape(each)}</li>" for each in found.differences)
    return f'<p class="ill">{sentence}</p><ul class="ill">{listed}</ul>'


def _batches(found: Reconciled) -> str:
    shown = found.batches[-BATCHES_SHOWN:]
    names = {"good": "out", "rejected": "rejected", "known": "known already"}
    series = {label: [row[name] for row in shown] for name, label in names.items()}
    chart = column_chart([str(row["batch"]) for row in shown], series, "records, by batch")
    heads = {"batch": "batch", "read": "in", **names, "took_ms": "ms"}
    if not any(series[names["known"]]):
        del heads["known"]
    rows = [
        [*(f"{row[name]:,}" for name in heads), f"{rate_of(row['read'], row['took_ms']):,}"]
        for row in shown
    ]
    return chart + _table([*heads.values(), "records/s"], rows)


def _tables(report: Report) -> str:
    rows = "".join(
        f"<tr><td>{escape(table.name)}</td><td>{table.rows:,}</td>"
        f'<td class="path">{escape(table.path)}</td></tr>'
        for table in report.tables
    )
    head = '<tr><th>table</th><th>rows</th><th class="path">path</th></tr>'
    lines = "".join(f"<li><code>{escape(table.opening)}</code></li>" for table in report.tables)
    return (
        f'<div class="wide"><table>{head}{rows}</table></div>'
        "<p>They open in Python, as DataFrames of pandas"
        f" (<code>pip install deltalake pandas</code>):</p><ul>{lines}</ul>"
        "<p>In SQL (<code>pip install deltalake duckdb</code>):</p>"
        f"<ul><li><code>{escape(report.query)}</code></li></ul>"
    )


def _settings(report: Report) -> str:
    heads = "".join(f"<th>{head}</th>" for head in ("setting", "value", ""))
    rows = "".join(
        f"<tr{'' if each.is_default else CHANGED}><td>{escape(each.name)}</td>"
        f"<td>{escape(each.value)}</td><td>{escape(each.description)}</td></tr>"
        for each in report.settings
    )
    return (
        f"<p>Those in bold are not as they are by default.</p>"
        f'<div class="wide"><table class="words"><tr>{heads}</tr>{rows}</table></div>'
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="wide"><table><tr>{heads}</tr>{body}</table></div>'
