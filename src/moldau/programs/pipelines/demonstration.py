"""A pipeline on data of its own: a node inside this program, events from a seed, Spark, a report.

The node and the writer of events live on a loop in the background, since Spark's driver blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from moldau.client.aio.world import ClientWorld
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.quick_dataclass import dataclass
from moldau.platform.system.background import Background
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.events import Event
from moldau.programs.pipelines.job import Job
from moldau.programs.pipelines.pipeline import Demonstration, Pipeline
from moldau.programs.pipelines.producing import TopicWriter
from moldau.programs.pipelines.reporting import Run, Shown, write_report
from moldau.programs.pipelines.route import Route
from moldau.programs.pipelines.settings import read_settings
from moldau.testing import Node

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Demo", "demonstrate", "ensure_demonstrable"]

PARTITIONS = 3


@dataclass(frozen=True, kw_only=True)
class Demo:
    """What it is shown with."""

    pipeline: Pipeline
    directory: str
    records: int
    seed: int
    files: Files
    clock: Clock
    show: Callable[[str], None]
    is_stopping: Callable[[], bool] = lambda: False

    @property
    def made(self) -> Demonstration:
        """What the pipeline is shown with."""
        ensure_demonstrable(self.pipeline)
        assert self.pipeline.demonstration is not None, "it was just looked at"
        return self.pipeline.demonstration

    def route(self, bootstrap: str) -> Route:
        """From its topic to the tables in its directory."""
        return Route(
            bootstrap=bootstrap,
            topic=self.made.topic,
            lake=f"{self.directory}/lake",
            checkpoint=f"{self.directory}/checkpoint",
        )


def ensure_demonstrable(pipeline: Pipeline) -> None:
    """Return if it can be shown on data of its own."""
    if pipeline.demonstration is None:
        raise PipelineError(
            f"the pipeline {pipeline.name} has no demonstration: run it on a topic of yours"
        )


def demonstrate(demo: Demo, session: Callable[[], AbstractContextManager[SparkSession]]) -> Shown:
    """Run it from nothing to the report; the session is left before the node stops."""
    made = demo.made
    _ensure_unused(demo)
    settings = read_settings(demo.pipeline.settings, made.settings)
    with _node(f"{demo.directory}/node") as (bootstrap, background):
        demo.show(f"a node listens on {bootstrap}")
        events = list(made.events(demo.records, demo.seed, demo.clock.now_ms()))
        count = _write(demo, events, bootstrap, background)
        demo.show(f"{count:,} events are in topic {made.topic}, from seed {demo.seed}")
        route = demo.route(bootstrap)
        with session() as spark:
            demo.pipeline.run(_job(demo, route, spark), settings)
    facts = {"events": f"{count:,}", "seed": str(demo.seed)}
    if made.verdict is not None:
        facts |= made.verdict(events, route)
    run = Run(pipeline=demo.pipeline, route=route, settings=settings, facts=facts)
    return write_report(run, f"{demo.directory}/report.html", demo.files, demo.clock)


def _ensure_unused(demo: Demo) -> None:
    """A second demonstration would add its events to those of the first."""
    if demo.files.status(f"{demo.directory}/node") is not None:
        raise PipelineError(
            f"{demo.directory} has an earlier demonstration in it: give another directory"
        )


def _job(demo: Demo, route: Route, spark: SparkSession) -> Job:
    return Job(
        name=demo.pipeline.name,
        spark=spark,
        files=demo.files,
        clock=demo.clock,
        show=demo.show,
        route=route,
        available_now=True,
        is_stopping=demo.is_stopping,
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


def _write(demo: Demo, events: Sequence[Event], bootstrap: str, background: Background) -> int:

    async def write() -> int:
        network = SystemNetwork()
        world = ClientWorld(network, demo.clock, SystemRandom(), background.tasks)
        writer = TopicWriter(bootstrap, world)
        try:
            return await writer.write(demo.made.topic, PARTITIONS, events)
        finally:
            writer.close()
            network.close()

    return background.call(write)
