"""What Spark asks for when a query writes with `format("moldau")`."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pyspark import TaskContext
from pyspark.sql.datasource import (
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    WriterCommitMessage,
)

from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.sync.transactions import Transactions
from moldau.platform.system.randomness import SystemRandom
from moldau.spark.errors import OptionError
from moldau.spark.sink.columns import ensure_writable
from moldau.spark.sink.names import NAME_BITS, family_of
from moldau.spark.sink.options import SinkOptions
from moldau.spark.sink.settling import abandon, abort_all, commit_at_once, settle
from moldau.spark.sink.tasks import Sent, send, send_prepared, transactional_ids

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

__all__ = ["TopicStreamWriter", "TopicWriter", "say_limit"]

log = logging.getLogger(__name__)
QUERY_ID = "sql.streaming.queryId"
BATCH = "streaming.sql.batchId"
"""The local properties in which Spark gives its tasks their query and batch."""
ALONE = "write"


class _Tasks:
    """What both writers do in tasks."""

    def __init__(self, options: SinkOptions, schema: StructType) -> None:
        ensure_writable(schema, options.topic)
        self._options = options

    def _write(
        self, batches: Iterator[pa.RecordBatch], application: str | None, batch: int
    ) -> Sent:
        if not self._options.is_exactly_once:
            return send(self._options, batches)
        is_lasting = application is not None
        if application is None:
            application = f"{ALONE}-{SystemRandom().randrange(0, 1 << NAME_BITS):016x}"
        name = transactional_ids().take(family_of(self._options.prefix, application), batch)
        sent = send_prepared(self._options, name, batches, is_lasting=is_lasting)
        return Sent(sent.records, sent.prepared, application, sent.has_two_phases)

    def _family(self, application: str) -> str:
        return family_of(self._options.prefix, application)


class TopicWriter(_Tasks, DataSourceArrowWriter):
    """A batch write; with `txnAppId` and `txnVersion` it may be repeated."""

    def __init__(self, options: SinkOptions, schema: StructType, overwrite: bool) -> None:
        super().__init__(options, schema)
        if overwrite:
            raise OptionError("a topic is only added to: say mode('append')")
        if options.application is not None and options.version is None:
            raise OptionError("txnAppId means nothing without txnVersion: set both, or neither")
        self._batch = options.version or 0

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Sent:
        """In a task."""
        return self._write(iterator, self._options.application, self._batch)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        prepared = _prepared(messages)
        if self._options.application is not None and self._options.is_exactly_once:
            settle(self._options, self._family(self._options.application), self._batch, prepared)
        elif prepared:
            commit_at_once(self._options, prepared)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        prepared = _prepared(messages)
        if self._options.application is not None and self._options.is_exactly_once:
            abandon(self._options, self._family(self._options.application), self._batch, prepared)
        elif prepared:
            with Transactions(self._options.connection) as cluster:
                abort_all(cluster, prepared)


class TopicStreamWriter(_Tasks, DataSourceStreamArrowWriter):
    """A stream's write: one decision for each of its batches."""

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Sent:
        """In a task."""
        context = TaskContext.get()
        assert context is not None, "only Spark's workers write"
        query_id = context.getLocalProperty(QUERY_ID)
        batch = context.getLocalProperty(BATCH)
        assert query_id is not None, "Spark names the query to the tasks of its batches"
        assert batch is not None, "Spark names the batch to its tasks"
        return self._write(iterator, self._options.application or query_id, int(batch))

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        application = _application(messages)
        if application is not None and self._options.is_exactly_once:
            say_limit(messages)
            settle(self._options, self._family(application), batchId, _prepared(messages))

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        application = _application(messages)
        if application is not None and self._options.is_exactly_once:
            abandon(self._options, self._family(application), batchId, _prepared(messages))


def say_limit(messages: Sequence[WriterCommitMessage | None]) -> None:
    """A line in the log about what brokers without the second phase cannot promise."""
    if any(each.prepared is not None and not each.has_two_phases for each in _sent(messages)):
        log.warning(
            "the brokers do not allow two-phase commit: between its decision and the last commit"
            " the driver may be away for transaction.timeout.ms, and no longer"
        )


def _sent(messages: Sequence[WriterCommitMessage | None]) -> list[Sent]:
    return [found for found in messages if isinstance(found, Sent)]


def _prepared(messages: Sequence[WriterCommitMessage | None]) -> list[PreparedTransaction]:
    return [each.prepared for each in _sent(messages) if each.prepared is not None]


def _application(messages: Sequence[WriterCommitMessage | None]) -> str | None:
    """The id of the query; a batch without a task has none, and no row either."""
    return next((each.application for each in _sent(messages) if each.application), None)
