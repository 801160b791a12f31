"""The hot path for what our own coordinators write: one batch that was just built, flat.

It does what `plain.append_as_leader` does, in the same order, and gives up before anything has
changed where something is out of the ordinary, as `hot` does for clients. In one thing it trusts
its caller: what appends as `AppendOrigin.COORDINATOR` has built the batch itself, record by
record, of one moment, and each record with a key. So the records are not looked at again. The
header and the checksum are, and so is everything by which topic or log may refuse a batch: sizes,
times, codec, the state of producers. Markers, which end transactions, take the plain path.
tests/broker/log/appending/test_own.py shows that both leave the same bytes and the same state.
"""

from __future__ import annotations

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.appending.flat import ordinary_header, put
from moldau.broker.log.appending.result import AppendResult
from moldau.broker.log.log_state import LogState
from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import CODEC_MASK, HEADER_SIZE, TimestampType


# hot: once for each batch of a coordinator.
def append_own_batch(
    state: LogState, records: Buffer, leader_epoch: int, guard: VerificationGuard | None
) -> AppendResult | None:
    """Append the batch, patched where it lies; None, and nothing changed, if not ordinary."""
    if not isinstance(records, bytearray):
        return None
    now_ms, rules = state.clock.now_ms(), state.rules
    words = bytes(records[:HEADER_SIZE])
    header = ordinary_header(state, records, words, leader_epoch, now_ms)
    if header is None:
        return None
    codec = rules.codec
    if (
        (codec is not None and codec != header.attributes & CODEC_MASK)
        or rules.timestamp_type is not TimestampType.CREATE
        or header.base_timestamp != header.max_timestamp
        or not -rules.timestamp_before_max_ms <= header.max_timestamp - now_ms
    ):
        return None
    if header.producer_id >= 0 and (
        state.producers.check(header, AppendOrigin.COORDINATOR, guard=guard) is not None
    ):
        return None
    return put(state, records, header)
