"""A pipeline on the events that it is shown with, run on whatever master Spark is given."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from moldau.programs.pipelines.catalogue import pipeline_named
from moldau.programs.pipelines.job import LATE_WORKER
from moldau.programs.pipelines.reconciliation import TABLE, reconcile, rows_of
from tests.programs.pipelines.murdered import RunningPipeline
from tests.programs.pipelines.running import write_events
from tests.spark.topics import Topics

COUNT, SEED = 600, 7
"""Of the events; with fewer or others a table may be empty."""
PARTITIONS = 2
PATIENCE_S = 800
LIVES_MAX = 3
LIGHT = {"model": "", "batch_size": "300"}
"""Settings of which a demonstration has others: nothing to train, and more than one batch."""
OUTPUTS = ("alerts", "commands", "events", "letters")
"""Settings that name a topic which has to be there."""
DIGITS = 6
"""Floats are added up in another order on other machines."""
Tables = dict[str, Counter[str]]


class Showing:
    """Its events are in a topic of their own."""

    def __init__(self, name: str, topics: Topics, folder: Path) -> None:
        """`folder` is where it may run on one machine."""
        self._pipeline, self._folder = pipeline_named(name), folder
        made = self._pipeline.demonstration
        assert made is not None
        self._bootstrap, self._topic = topics.bootstrap, topics.make(PARTITIONS)
        self.events = list(made.events(COUNT, SEED, time.time_ns() // 1_000_000))
        write_events(self._bootstrap, self._topic, self.events)
        pairs = dict(text.split("=", 1) for text in made.settings)
        pairs |= {name: text for name, text in LIGHT.items() if name in pairs}
        pairs |= {name: topics.make(1) for name in OUTPUTS if name in pairs}
        self._settings = [f"{name}={text}" for name, text in pairs.items()]

    def run(
        self, folder: Path, more: Sequence[str], variables: Mapping[str, str]
    ) -> RunningPipeline:
        """To the end of the topic; again where the machine was too busy, as its error advises."""
        running = RunningPipeline(
            folder,
            self._bootstrap,
            self._topic,
            more,
            name=self._pipeline.name,
            settings=self._settings,
            **variables,
        )
        try:
            for _ in range(LIVES_MAX):
                running.start()
                running.await_end(PATIENCE_S)
                if running.exit_code == 0 or LATE_WORKER not in running.last_words():
                    break
        finally:
            running.kill()
        return running

    def tables(self, lake: str, storage: Mapping[str, str] | None = None) -> Tables:
        """All rows of all tables but the one that has how long each batch took."""
        names = [name for name in self._pipeline.tables if name != TABLE]
        return {
            name: Counter(map(_comparable, rows_of(f"{lake}/{name}", storage or {})))
            for name in names
        }

    @cached_property
    def tables_on_one_machine(self) -> Tables:
        """The same of a run with Spark and its tables right here; none of them is empty."""
        running = self.run(self._folder, [], {})
        assert running.exit_code == 0, running.last_words()
        tables = self.tables(f"{self._folder}/lake")
        assert [name for name, rows in tables.items() if not rows] == []
        return tables

    def ensure_same(self, lake: str, storage: Mapping[str, str] | None = None) -> None:
        """Every event was read once, rejected if it was spoilt, and the tables are the same."""
        found = reconcile(lake, storage or {}, ["bronze", "silver", "dead_letters"])
        assert found.differences == []
        assert found.read == len(self.events)
        assert found.rejected == sum(1 for event in self.events if event.reason)
        assert self.tables(lake, storage) == self.tables_on_one_machine


def _comparable(row: Mapping[str, Any]) -> str:
    pairs = (
        (name, round(value, DIGITS) if isinstance(value, float) else value)
        for name, value in row.items()
    )
    return repr(sorted(pairs))
