"""Figures of one benchmark in docs/performance.md, between a pair of markers of its own."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable

from bench.versus.machine import is_compiled, machine
from devtools.environment import ROOT

__all__ = ["PAGE", "markers", "publish", "put_between", "replaced", "where"]

PAGE = ROOT / "docs" / "performance.md"


def publish(name: str, lines: Iterable[str]) -> None:
    """In the place of what stood there."""
    if not is_compiled():
        raise SystemExit("only compiled modules are published: ./dev build makes them")
    PAGE.write_text(replaced(PAGE.read_text(), name, lines))


def replaced(text: str, name: str, lines: Iterable[str]) -> str:
    """The page with these lines; `ValueError` where it has no place for them."""
    begins, ends = markers(name)
    found = put_between(text, name, ["", *lines, ""])
    if found is None:
        raise ValueError(f"the page has no markers for {name}: {begins} and {ends}")
    return found


def put_between(text: str, name: str, lines: Iterable[str]) -> str | None:
    """The page with these lines and nothing else between its markers; None where it has none."""
    begins, ends = markers(name)
    before, begin, rest = text.partition(begins)
    _, end, after = rest.partition(ends)
    return "\n".join([before + begins, *lines, ends]) + after if begin and end else None


def where(load_before: float) -> str:
    """When, on what, and beside what else."""
    found = machine()
    today = datetime.date.today().isoformat()
    return (
        f"{today}, {found['kind']}, hot modules {found['hot modules']}; load {load_before:.1f} "
        f"before and {os.getloadavg()[0]:.1f} after."
    )


def markers(name: str) -> tuple[str, str]:
    return f"<!-- {name}: written by ./dev bench {name} --publish -->", f"<!-- {name}: end -->"
