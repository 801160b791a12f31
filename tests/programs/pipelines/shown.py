"""A pipeline on the events that it is shown with, run on whatever master Spark is given."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from moldau.programs.pipelines.catalogue import pipeline_named
from moldau.programs.pipelines.reconciliation import reconcile
from tests.programs.pipelines.murdered import RunningPipeline
from tests.programs.pipelines.running import write_events
from tests.spark.topics import Topics

COUNT = 600
PARTITIONS = 2
PATIENCE_S = 800
LIGHT = {"model": "", "batch_size": "300"}
"""Settings of which a demonstration has others: nothing to train, and more than one batch."""
OUTPUTS = ("alerts", "commands", "events", "letters")
"""Settings that name a topic which has to be there."""


class Showing:
    """Its events are in a topic of their own."""

    def __init__(self, name: str, topics: Topics, seed: int) -> None:
        self._pipeline = pipeline_named(name)
        made = self._pipeline.demonstration
        assert made is not None
        self._bootstrap, self._topic = topics.bootstrap, topics.make(PARTITIONS)
        self.events = list(made.events(COUNT, seed, time.time_ns() // 1_000_000))
        write_events(self._bootstrap, self._topic, self.events)
        pairs = dict(text.split("=", 1) for text in made.settings)
        pairs |= {name: text for name, text in LIGHT.items() if name in pairs}
        pairs |= {name: topics.make(1) for name in OUTPUTS if name in pairs}
        self._settings = [f"{name}={text}" for name, text in pairs.items()]

    def run(self, folder: Path, more: Sequence[str], told: Mapping[str, str]) -> RunningPipeline:
        """To the end of the topic."""
        running = RunningPipeline(
            folder,
            self._bootstrap,
            self._topic,
            more,
            name=self._pipeline.name,
            settings=self._settings,
            **told,
        )
        running.start()
        try:
            running.await_end(PATIENCE_S)
        finally:
            running.kill()
        return running

    def ensure_all_adds_up(self, lake: str) -> None:
        """Every event was read once, and rejected if it had been spoilt."""
        found = reconcile(lake, {}, ["bronze", "silver", "dead_letters"])
        assert found.differences == []
        assert found.read == len(self.events)
        assert found.rejected == sum(1 for event in self.events if event.reason)
