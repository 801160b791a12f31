"""The pipelines there are: a pipeline is a file, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from moldau.pipelines import clickstream, etl
from moldau.pipelines.errors import PipelineError
from moldau.pipelines.events import ORDER_COLUMNS, Event, clicks, orders
from moldau.pipelines.job import Job
from moldau.quick_dataclass import dataclass

__all__ = ["PIPELINES", "Demonstration", "Pipeline", "pipeline_named"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """How a pipeline is shown to somebody who has nothing yet."""

    topic: str
    settings: Sequence[str]
    events: Callable[[int, int, int], Iterator[Event]]
    """Count, seed, and the time at which they end."""
    charts: Mapping[str, tuple[str, str, str]]
    """Title → table, the column to group by, the column to add up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """What can be run by name."""

    name: str
    says: str
    settings: type[Any]
    run: Callable[[Job, Any], None]
    tables: Sequence[str]
    demonstration: Demonstration


PIPELINES = (
    Pipeline(
        name="etl",
        says="any topic of JSON, CSV or bytes into bronze, silver and gold tables",
        settings=etl.EtlSettings,
        run=etl.run,
        tables=("bronze", "silver", "gold", "dead_letters", "reconciliation"),
        demonstration=Demonstration(
            topic="orders",
            settings=(
                f"schema={ORDER_COLUMNS}",
                "event_time=ordered_at",
                "size_max=65536",
                "partition_by=country",
                "group_by=country,product",
                "measure=amount",
                "compact_every=4",
                "batch_size=20000",
            ),
            events=orders,
            charts={
                "Revenue by product": ("gold", "product", "amount"),
                "Orders by country": ("gold", "country", "records"),
                "Orders by hour": ("gold", "hour", "records"),
            },
        ),
    ),
    Pipeline(
        name="clickstream",
        says="clicks as JSON into sessions, views of pages and a funnel",
        settings=clickstream.ClickSettings,
        run=clickstream.run,
        tables=(
            *("bronze", "silver", "dead_letters", "reconciliation"),
            *("pages", "funnel", "sessions"),
        ),
        demonstration=Demonstration(
            topic="clicks",
            settings=("gap_s=900", "batch_size=20000", "compact_every=4"),
            events=clicks,
            charts={
                "Top pages": ("pages", "page", "views"),
                "Funnel": ("funnel", "action", "clicks"),
                "Sessions by the page they begin at, in clicks": ("sessions", "entry", "clicks"),
            },
        ),
    ),
)


def pipeline_named(name: str) -> Pipeline:
    """The pipeline, or what else there is."""
    for pipeline in PIPELINES:
        if pipeline.name == name:
            return pipeline
    known = ", ".join(pipeline.name for pipeline in PIPELINES)
    raise PipelineError(f"there is no pipeline {name!r}: there are {known}")
