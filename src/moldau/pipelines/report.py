"""A page about a run: what came, what became of it, whether it adds up, and a few pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from html import escape

from moldau.pipelines.plots import bar_chart, column_chart
from moldau.pipelines.reconciliation import Reconciled
from moldau.quick_dataclass import dataclass

__all__ = ["Chart", "Report", "page"]

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; color: #222; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
svg text { font: 12px system-ui, sans-serif; fill: #444; }
.well { color: #2e6b3a; } .ill { color: #a3271b; }
"""
BATCHES_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars under a title."""

    title: str
    bars: Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a page is made of."""

    title: str
    says: str
    reconciled: Reconciled
    paths: dict[str, str]
    """Table → where it is."""
    charts: Sequence[Chart] = field(default_factory=tuple)


def page(report: Report) -> str:
    """The whole page as HTML."""
    title = escape(report.title)
    charts = "".join(
        f"<h2>{escape(chart.title)}</h2>{bar_chart(chart.bars)}" for chart in report.charts
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body><h1>{title}</h1><p>{escape(report.says)}</p>"
        f"{_verdict(report.reconciled)}<h2>Records by batch</h2>{_batches(report.reconciled)}"
        f"{charts}<h2>Tables</h2>{_tables(report)}</body></html>\n"
    )


def _verdict(found: Reconciled) -> str:
    sentence = escape(f"{found.sentence[0].upper()}{found.sentence[1:]}.")
    if not found.differences:
        return f'<p class="well">{sentence}</p>'
    listed = "".join(f"<li>{escape(each)}</li>" for each in found.differences)
    return f'<p class="ill">{sentence}</p><ul class="ill">{listed}</ul>'


def _batches(found: Reconciled) -> str:
    shown = found.batches[-BATCHES_SHOWN:]
    names = ("good", "rejected", "known")
    chart = column_chart(
        [str(row["batch"]) for row in shown], {name: [row[name] for row in shown] for name in names}
    )
    columns = ("batch", "read", "good", "rejected", "known", "took_ms")
    rows = [[f"{row[name]:,}" for name in columns] for row in shown]
    return chart + _table(("batch", "in", "out", "rejected", "known already", "ms"), rows)


def _tables(report: Report) -> str:
    rows = [
        [name, f"{report.reconciled.rows.get(name, 0):,}", path]
        for name, path in report.paths.items()
    ]
    return _table(("table", "rows", "path"), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><tr>{heads}</tr>{body}</table>"
