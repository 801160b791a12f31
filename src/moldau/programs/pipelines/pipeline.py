"""What a pipeline is to those who run it: a name, its settings, and the function that runs it.

A file of yours ends with one, and `moldau pipeline run FILE` takes it from there:

    PIPELINE = Pipeline(
        name="mine",
        description="orders into tables",
        settings=MySettings,
        run=run,
        tables=(*LANDED, "sums"),
    )

An installed package offers its own as entry points of the group `moldau.pipelines`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from moldau.platform.ports.files import Files
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.events import Event
from moldau.programs.pipelines.job import Job
from moldau.programs.pipelines.route import Route

__all__ = ["LANDED", "Demonstration", "Pipeline"]

LANDED = ("bronze", "silver", "dead_letters", "reconciliation")
"""The tables of every pipeline that lands its topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """How a pipeline is shown without any data of one's own."""

    topic: str
    settings: Sequence[str]
    events: Callable[[int, int, int], Iterator[Event]]
    """Count, seed, and the time at which they end."""
    verdict: Callable[[Sequence[Event], Route], Mapping[str, str]] | None = None
    """What came of the events, beside what should have: lines for the head of the report."""


def _good(settings: object, files: Files) -> None:
    """Whatever they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """What can be run by name, or from a file."""

    name: str
    """Also the name of its query, and the owner of its checkpoints."""
    description: str
    settings: type[Any]
    run: Callable[[Job, Any], None]
    tables: Sequence[str]
    check: Callable[[Any, Files], object] = _good
    """Raises where settings make no sense or files are missing, before Spark starts."""
    charts: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    """For its report: title → table, the column to group by, the column to add up."""
    demonstration: Demonstration | None = None
