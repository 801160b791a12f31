"""What a broker's word about one partition means for a reading.

An answer without records means that nothing is there yet, unless the end that it names lies beyond
the position: then compaction has left nothing in between, or the answer had no room for more. If
the whole answer is empty it had room; reported twice in a row, the hole is stepped over.
"""

from __future__ import annotations

from typing import TypeAlias

from moldau.client.core.cluster import Cluster, Leader
from moldau.client.core.fetching.broker_fetch import Row
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.fetching.contents import Aborted, OldFormat, look_through
from moldau.client.core.fetching.events import Deliver, Fail, LookUpRange
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import LogTruncatedError, OldFormatError, refusal
from moldau.errors import CorruptRecordError, MoldauError
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Verdict", "judge_row"]

NOTHING_COUNT_MAX = 2
"""After so many answers in a row it is taken for a hole."""
NOTHING = memoryview(b"")

Verdict: TypeAlias = Deliver | Fail | LookUpRange | MoldauError | None
"""A chunk, the end, a question; an error that may pass; or None: ask again."""


def judge_row(
    cluster: Cluster, reading: Reading, row: Row, answer: FetchResponse, isolation: Isolation
) -> Verdict:
    """Look at what came, and move the reading on."""
    code = ErrorCode.read(row.error_code)
    if code is not ErrorCode.NONE:
        return _judge_error(cluster, reading, row, answer, code)
    if row.diverging_epoch.end_offset >= 0:
        error = LogTruncatedError(reading.part, reading.position, row.diverging_epoch.end_offset)
        return Fail(reading, error)
    if row.records is None or not len(row.records):
        return _judge_nothing(reading, row, answer, isolation)
    return _judge_records(reading, row, memoryview(row.records), isolation)


def _judge_error(
    cluster: Cluster, reading: Reading, row: Row, answer: FetchResponse, code: ErrorCode
) -> Verdict:
    part = reading.part
    if code is ErrorCode.OFFSET_OUT_OF_RANGE:
        return LookUpRange(reading)
    hinted = row.current_leader
    if cluster.apply_hint(
        part, Leader(hinted.leader_id, hinted.leader_epoch), answer.node_endpoints
    ):
        return None
    error = refusal(str(part), code, api_key=ApiKey.FETCH)
    if not code.retriable:
        return Fail(reading, error)
    if code.refreshes_metadata:
        cluster.mark_stale(part.topic)
    return error


def _judge_nothing(
    reading: Reading, row: Row, answer: FetchResponse, isolation: Isolation
) -> Verdict:
    end = _end_of(row, isolation)
    reading.known_end, reading.cause = end, None
    if end <= reading.position or _has_records(answer):
        return None
    reading.nothing_count += 1
    if reading.nothing_count < NOTHING_COUNT_MAX:
        return None
    return _deliver(reading, NOTHING, end, frozenset())


def _end_of(row: Row, isolation: Isolation) -> int:
    """Up to which this reader is sent records."""
    committed = isolation is Isolation.READ_COMMITTED
    return row.last_stable_offset if committed else row.high_watermark


def _has_records(answer: FetchResponse) -> bool:
    return any(row.records for topic in answer.responses for row in topic.partitions)


def _judge_records(
    reading: Reading, row: Row, records: memoryview, isolation: Isolation
) -> Verdict:
    aborted: list[Aborted] = []
    if isolation is Isolation.READ_COMMITTED:
        aborted = [
            Aborted(transaction.producer_id, transaction.first_offset)
            for transaction in row.aborted_transactions or ()
        ]
    try:
        contents = look_through(records, aborted)
    except CorruptRecordError as error:
        return error
    if isinstance(contents, OldFormat):
        return Fail(reading, OldFormatError(reading.part, contents.offset, contents.magic))
    if contents.next_offset is None or contents.next_offset <= reading.position:
        return None
    reading.last_epoch = contents.last_epoch
    reading.known_end = _end_of(row, isolation)
    return _deliver(reading, records, contents.next_offset, contents.void)


def _deliver(
    reading: Reading, records: memoryview, next_offset: int, void: frozenset[int]
) -> Deliver:
    end = min(next_offset, reading.end)
    chunk = Chunk(reading.part, records, reading.position, end, void, reading.last_epoch)
    reading.position = next_offset
    reading.nothing_count = 0
    reading.cause = None
    return Deliver(reading, chunk)
