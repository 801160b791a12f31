"""Spark's queries as consumer groups: each batch's end is committed under the query's name.

Spark keeps its offsets in checkpoints, where no lag tool looks. A listener commits them to the
cluster as well, after each batch, as a group without members: `kafka-consumer-groups.sh`, Burrow
and consoles then show how far a query has come. Nothing ever reads these offsets back; a commit
that fails is worth a warning and no more.

Which cluster a query reads stands in its plan, in the driver's Java process. With Spark Connect the
plan is out of reach and nothing is committed.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.sql.streaming.listener import (
    JStreamingQueryListener,
    QueryIdleEvent,
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
    StreamingQueryProgress,
)

from moldau.client import TopicPartition
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.spark.options import SourceOptions, read_options
from moldau.spark.source.connections import connection_to
from moldau.spark.source.stream import offsets_in

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

log = logging.getLogger(__name__)
Java: TypeAlias = Any
"""An object of the driver's Java process, of which Python knows no type."""
FORMAT = "moldau"
PLANNED = "StreamingDataSourceV2ScanRelation"
"""How Spark calls a stream of a source like ours in the plan of a running query."""


@dataclass(frozen=True)
class Followed:
    """A query that is followed: its group, and for each of its sources where it reads."""

    group: str
    sources: tuple[SourceOptions | None, ...]


class Calls(JStreamingQueryListener):
    """What Java calls. Progress crosses as one text, and not number by number.

    PySpark's own way is hundreds of calls to Java for each batch, and some of them look for a class
    in every jar.
    """

    def onQueryProgress(self, jevent: Java) -> None:
        progress = StreamingQueryProgress.fromJson(json.loads(jevent.progress().json()))
        self.pylistener.onQueryProgress(QueryProgressEvent(progress))


class LagListener(StreamingQueryListener):
    """Commits the end of each batch of every query that has a name or `kafka.group.id`."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._followed: dict[str, Followed] = {}
        self._executions: dict[str, Java] = {}

    @cached_property
    def _jlistener(self) -> Java:
        """How PySpark hands a listener to Java."""
        java = self._spark.sparkContext._jvm
        assert java is not None
        return java.PythonStreamingQueryListenerWrapper(Calls(self))

    @classmethod
    def add_to(cls, spark: SparkSession) -> None:
        """Once for each session, however often it is registered."""
        if getattr(spark, "_moldau_lag", None) is None:
            listener = cls(spark)
            spark.streams.addListener(listener)
            spark._moldau_lag = listener  # type: ignore[attr-defined]

    def onQueryStarted(self, event: QueryStartedEvent) -> None:
        """Keep hold of the query: it may have ended before its first batch is reported."""
        query = self._spark.streams.get(str(event.id))
        if query is not None and hasattr(query, "_jsq"):
            self._executions[str(event.id)] = query._jsq.streamingQuery()

    def onQueryIdle(self, event: QueryIdleEvent) -> None:
        """Nothing has moved."""

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:
        self._followed.pop(str(event.id), None)
        self._executions.pop(str(event.id), None)

    def onQueryProgress(self, event: QueryProgressEvent) -> None:
        progress = event.progress
        key = str(progress.id)
        if key not in self._followed:
            self._followed[key] = Followed(progress.name or "", self._sources_of(key))
        followed = self._followed[key]
        for options, source in zip(followed.sources, progress.sources, strict=False):
            if options is not None and source.endOffset:
                self._commit(options.group or followed.group, options, source.endOffset)

    def _commit(self, group: str, options: SourceOptions, end: str) -> None:
        if not group:
            return
        try:
            connection_to(options.connection).commit(group, _offsets(end))
        except MoldauError as refused:
            log.warning("the offsets of query %s could not be committed: %s", group, refused)

    def _sources_of(self, query_id: str) -> tuple[SourceOptions | None, ...]:
        """The options of every source of a query, in the order of its progress."""
        execution = self._executions.get(query_id)
        if execution is None:
            return ()
        return tuple(_options_of(leaf) for leaf in _items(execution.logicalPlan().collectLeaves()))


def _items(sequence: Java) -> Iterable[Java]:
    return (sequence.apply(index) for index in range(sequence.size()))


def _options_of(leaf: Java) -> SourceOptions | None:
    """None for a source that is not ours."""
    if leaf.getClass().getSimpleName() != PLANNED:
        return None
    relation = leaf.relation()
    if relation.table().name() != FORMAT:
        return None
    given: Mapping[str, str] = dict(relation.options().asCaseSensitiveMap())
    return read_options(given, streaming=True)


def _offsets(end: str | Mapping[str, Any]) -> dict[TopicPartition, int]:
    return offsets_in(json.loads(end) if isinstance(end, str) else end)
