"""What a task does: rows in, a prepared transaction out; or, at least once, rows in.

Whether brokers allow two phases is asked once for each cluster and process, by trying.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from pyspark.sql.datasource import WriterCommitMessage

from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.errors import AccessDeniedError, ClientError, UnsupportedVersionError
from moldau.client.sync.producer import Producer, TableDelivery
from moldau.platform.quick_dataclass import dataclass
from moldau.spark.sink.columns import by_topic
from moldau.spark.sink.names import TransactionalIds
from moldau.spark.sink.options import TRANSACTION_TIMEOUT, TRANSACTION_TIMEOUT_MS, SinkOptions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Sent", "send", "send_prepared", "transactional_ids"]

log = logging.getLogger(__name__)
TWO_PHASES = "transaction.two.phase.commit.enable"
UNANSWERED_MAX = 8
"""Tables on their way at a time; each is held until all its records have arrived."""
_one_phase: set[str] = set()
_ids: list[TransactionalIds] = []


@dataclass(frozen=True)
class Sent(WriterCommitMessage):
    """What a task reports to the driver."""

    records: int
    prepared: PreparedTransaction | None = None
    """None where it had no rows, or no transaction."""
    application: str | None = None
    """The id of the query, which only tasks know."""
    has_two_phases: bool = False


def transactional_ids() -> TransactionalIds:
    """Those of this process; not of the one that it was forked from, which never asks."""
    if not _ids:
        _ids.append(TransactionalIds())
    return _ids[0]


def send(options: SinkOptions, batches: Iterator[pa.RecordBatch]) -> Sent:
    """All rows, each at least once."""
    with Producer(dict(options.producer)) as producer:
        return Sent(_send_all(producer, options, batches))


def send_prepared(
    options: SinkOptions, name: str, batches: Iterator[pa.RecordBatch], *, is_lasting: bool
) -> Sent:
    """All rows in a transaction that waits to be committed; `is_lasting`: without a limit."""
    producer, has_two_phases = _begun(options, name, is_lasting)
    try:
        records = _send_all(producer, options, batches)
        prepared = producer.prepare_transaction()
    except BaseException:
        with suppress(ClientError):
            producer.abort_transaction()
        raise
    finally:
        with suppress(ClientError):
            producer.close()
    return Sent(records, prepared, has_two_phases=has_two_phases)


def _begun(options: SinkOptions, name: str, is_lasting: bool) -> tuple[Producer, bool]:
    cluster = options.producer["bootstrap.servers"]
    if is_lasting and cluster not in _one_phase:
        producer = Producer({**_settings(options, name), TWO_PHASES: "true"})
        try:
            producer.begin_transaction()
        except (AccessDeniedError, UnsupportedVersionError) as refused:
            producer.close()
            log.info("prepared transactions have a limit: %s", refused)
            _one_phase.add(cluster)
        else:
            return producer, True
    timeout = {TRANSACTION_TIMEOUT: str(TRANSACTION_TIMEOUT_MS), **_settings(options, name)}
    producer = Producer(timeout)
    producer.begin_transaction()
    return producer, False


def _settings(options: SinkOptions, name: str) -> dict[str, str]:
    return {**options.producer, "transactional.id": name}


def _send_all(producer: Producer, options: SinkOptions, batches: Iterator[pa.RecordBatch]) -> int:
    sent, waiting = 0, deque[TableDelivery]()
    for batch in batches:
        for topic, rows in by_topic(batch, options.topic):
            waiting.append(producer.send_arrow(topic, rows))
            if len(waiting) > UNANSWERED_MAX:
                sent += waiting.popleft().result()
    return sent + sum(delivery.result() for delivery in waiting)
