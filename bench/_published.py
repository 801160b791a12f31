"""Figures of one benchmark in docs/performance.md, between a pair of markers of its own."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable

from bench.versus.machine import is_compiled, machine
from devtools.environment import ROOT

__all__ = ["PAGE", "publish", "replaced", "where"]

PAGE = ROOT / "docs" / "performance.md"


def publish(name: str, lines: Iterable[str]) -> None:
    """In the place of what stood there."""
    if not is_compiled():
        raise SystemExit("only compiled modules are published: ./dev build makes them")
    PAGE.write_text(replaced(PAGE.read_text(), name, lines))


def replaced(text: str, name: str, lines: Iterable[str]) -> str:
    """The page with these lines; `ValueError` where it has no place for them."""
    begins, ends = _markers(name)
    before, begin, rest = text.partition(begins)
    _, end, after = rest.partition(ends)
    if not (begin and end):
        raise ValueError(f"the page has no markers for {name}: {begins} and {ends}")
    return "\n".join([before + begins, "", *lines, "", ends]) + after


def where(load_before: float) -> str:
    """When, on what, and beside what else."""
    found = machine()
    today = datetime.date.today().isoformat()
    return (
        f"{today}, {found['kind']}, hot modules {found['hot modules']}; load {load_before:.1f} "
        f"before and {os.getloadavg()[0]:.1f} after."
    )


def _markers(name: str) -> tuple[str, str]:
    return f"<!-- {name}: written by ./dev bench {name} --publish -->", f"<!-- {name}: end -->"
