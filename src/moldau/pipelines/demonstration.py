"""A pipeline on data of its own: a node inside this program, events from a seed, Spark, a report.

The node and the writer of events live on a loop in the background, since Spark's driver blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from moldau.client.aio.world import ClientWorld
from moldau.pipelines.catalogue import Pipeline
from moldau.pipelines.job import Job
from moldau.pipelines.producing import TopicWriter
from moldau.pipelines.reconciliation import Reconciled, reconcile, rows_of
from moldau.pipelines.report import Chart, Report, page
from moldau.pipelines.settings import read_settings
from moldau.ports.clock import Clock
from moldau.ports.files import Files, replace_whole
from moldau.quick_dataclass import dataclass
from moldau.system.background import Background
from moldau.system.network import SystemNetwork
from moldau.system.randomness import SystemRandom
from moldau.testing import Node

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Demo", "Shown", "demonstrate", "reconciled_tables", "write_report"]

PARTITIONS = 3
BARS_MAX = 12


@dataclass(frozen=True, kw_only=True)
class Demo:
    """What it is shown with."""

    pipeline: Pipeline
    directory: str
    records: int
    seed: int
    files: Files
    clock: Clock
    tell: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Shown:
    """What came of it."""

    reconciled: Reconciled
    report_path: str
    paths: Mapping[str, str]
    """Table → where it is."""


def demonstrate(demo: Demo, session: Callable[[], AbstractContextManager[SparkSession]]) -> Shown:
    """Run it from nothing to the report; the session is left before the node stops."""
    made = demo.pipeline.demonstration
    with _node(f"{demo.directory}/node") as (bootstrap, background):
        demo.tell(f"a node listens on {bootstrap}")
        count = _write(demo, bootstrap, background)
        demo.tell(f"{count:,} events are in topic {made.topic}, from seed {demo.seed}")
        with session() as spark:
            settings = read_settings(demo.pipeline.settings, made.settings)
            demo.pipeline.run(_job(demo, bootstrap, spark), settings)
    lake, path = f"{demo.directory}/lake", f"{demo.directory}/report.html"
    return write_report(demo.pipeline, lake, path, demo.files, {})


def _job(demo: Demo, bootstrap: str, spark: SparkSession) -> Job:
    return Job(
        spark=spark,
        files=demo.files,
        clock=demo.clock,
        tell=demo.tell,
        bootstrap=bootstrap,
        topic=demo.pipeline.demonstration.topic,
        lake=f"{demo.directory}/lake",
        checkpoint=f"{demo.directory}/checkpoint",
        available_now=True,
    )


@contextmanager
def _node(directory: str) -> Iterator[tuple[str, Background]]:
    background = Background("moldau-demonstration")
    try:
        node = Node(directory)
        background.call(node.__aenter__)
        try:
            yield node.bootstrap, background
        finally:
            background.call(lambda: node.__aexit__(None, None, None))
    finally:
        background.close()


def _write(demo: Demo, bootstrap: str, background: Background) -> int:
    made = demo.pipeline.demonstration
    events = made.events(demo.records, demo.seed, demo.clock.now_ms())

    async def write() -> int:
        network = SystemNetwork()
        world = ClientWorld(network, demo.clock, SystemRandom(), background.tasks)
        writer = TopicWriter(bootstrap, world)
        try:
            return await writer.write(made.topic, PARTITIONS, events)
        finally:
            writer.close()
            network.close()

    return background.call(write)


def reconciled_tables(pipeline: Pipeline, lake: str, storage: Mapping[str, str]) -> Reconciled:
    """What its tables hold, beside what its batches say."""
    return reconcile(lake, storage, list(pipeline.tables))


def write_report(
    pipeline: Pipeline, lake: str, path: str, files: Files, storage: Mapping[str, str]
) -> Shown:
    """A page about all that the lake has seen."""
    reconciled = reconciled_tables(pipeline, lake, storage)
    paths = {name: f"{lake}/{name}" for name in pipeline.tables}
    report = Report(
        title=f"Pipeline {pipeline.name}",
        says=f"{pipeline.says[0].upper()}{pipeline.says[1:]}.",
        reconciled=reconciled,
        paths=paths,
        charts=[*_charts(pipeline, lake, storage), _reasons(lake, storage)],
    )
    replace_whole(files, path, page(report).encode())
    return Shown(reconciled, path, paths)


def _charts(pipeline: Pipeline, lake: str, storage: Mapping[str, str]) -> Iterator[Chart]:
    """Those of the demonstration, as far as the tables have their columns."""
    for title, (table, group, measure) in pipeline.demonstration.charts.items():
        sums: Counter[str] = Counter()
        for row in rows_of(f"{lake}/{table}", storage):
            if group in row and measure in row:
                sums[f"{row[group]}"] += row[measure] or 0
        bars = sorted(sums.items()) if group == "hour" else sums.most_common(BARS_MAX)
        if bars:
            yield Chart(title, bars)


def _reasons(lake: str, storage: Mapping[str, str]) -> Chart:
    letters = rows_of(f"{lake}/dead_letters", storage, ["reason"])
    return Chart(
        "Dead letters by reason", Counter(str(row["reason"]) for row in letters).most_common()
    )
