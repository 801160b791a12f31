"""The hot path of appending: one ordinary batch of a client, flat.

It does what `plain.append_as_leader` does, in the same order, for a batch about which nothing
is out of the ordinary, and gives up before anything has changed where something is: another topic
rule, a strange header, a bad checksum, records that are not as claimed, a repeat, a new leader
epoch, a segment that must roll. The plain path then does all of it again and finds the answer.
tests/broker/log/appending/test_hot.py shows that both leave the same bytes and the same state.
"""

from __future__ import annotations

from typing import Final

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.appending.flat import ordinary_header, put
from moldau.broker.log.appending.result import AppendResult
from moldau.broker.log.appending.rolling import must_roll
from moldau.broker.log.log_state import LogState
from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import CODEC_MASK, HEADER_SIZE, BatchHeader, read_header
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.inspection import unfolded
from moldau.protocol.records.scan import latest_delta

_CODEC_MAX: Final = int(max(Codec))
ATTRIBUTES_AT: Final = 22
"""The byte of them that has the codec."""


# hot: once for each batch of a client.
def append_ordinary_batch(
    state: LogState, records: Buffer, leader_epoch: int, guard: VerificationGuard | None
) -> AppendResult | None:
    """Append the batch in a writable buffer; None, and nothing changed, if it is not ordinary."""
    view = records if isinstance(records, memoryview) else memoryview(records)
    is_plain = (
        HEADER_SIZE <= len(view) <= state.max_message_bytes and not view[ATTRIBUTES_AT] & CODEC_MASK
    )
    words = (view if is_plain else view[:HEADER_SIZE]).tobytes()
    header = ordinary_header(state, records, words, leader_epoch, state.clock.now_ms())
    if header is None or header.attributes & CODEC_MASK > _CODEC_MAX:
        return None
    has_producer = header.producer_id >= 0
    if (has_producer and header.base_sequence < 0) or not is_as_claimed(records, words, header):
        return None
    if has_producer and (
        state.producers.check(header, AppendOrigin.CLIENT, guard=guard) is not None
    ):
        return None
    return _put_encrypted(state, records, header) if state.encrypts else put(state, records, header)


def is_as_claimed(batch: Buffer, words: bytes, header: BatchHeader) -> bool:
    """Whether the records of one whole batch can be read, lie in order, and end in time where the
    header has it. `words` has its bytes; those of the header are enough where it is compressed."""
    # hot: once for each batch of a client.
    try:
        if header.attributes & CODEC_MASK:
            latest = latest_delta(unfolded(batch, header), header.record_count)
        else:
            latest = latest_delta(words, header.record_count, HEADER_SIZE)
        return header.base_timestamp + latest == header.max_timestamp
    except CorruptRecordError:
        return False


def _put_encrypted(state: LogState, records: Buffer, header: BatchHeader) -> AppendResult | None:
    """The same, encrypted; it is larger now, and may need another segment."""
    key_name = state.settings.encryption_at_rest
    stored = state.encryption.encrypt(state.partition, key_name, records, header)
    now_ms, last_offset = state.clock.now_ms(), header.base_offset + header.last_offset_delta
    if must_roll(state, len(stored), last_offset, header.max_timestamp, now_ms, True):
        return None
    return put(state, stored, read_header(stored))
