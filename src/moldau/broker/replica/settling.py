"""A producer's gap while leadership settles: a batch is missing that is still on its way.

An idempotent producer has several requests in flight. While a partition's leader changes, the first
of two may be refused with NOT_LEADER_OR_FOLLOWER, by this broker a moment before it leads or by the
former leader, and the second arrives when this one leads. Its sequence is ahead of all that the
partition has of this producer.

Apache Kafka answers OUT_OF_ORDER_SEQUENCE_NUMBER. Java's producer sends both again, since it knows
that an earlier batch is not acknowledged. librdkafka raises the producer's epoch and writes under
it all that is not acknowledged. Where the former leader had replicated a batch, and was no leader
any more when it would have acknowledged it, that batch is then in the log twice: under another
epoch it is no repeat.

So for a short time after it began to lead, a broker answers such a gap with
NOT_LEADER_OR_FOLLOWER. Every client sends both again, in their order and under their sequences, and
what had been replicated is recognised as a repeat. This is safe:

- Nothing is appended that Kafka would refuse, and what is refused has not been appended: only a
  sequence *ahead* of the known ones is a gap, never one that may be an old repeat.
- It holds while the producer has no batch of this leader's epoch. A gap behind such a batch is a
  loss on the client's side, and is answered as ever.
- A gap that stays, since records were lost in an unclean election, is answered as ever once the
  time is over.

A producer of which nothing is known may begin with any sequence, for its state may have expired; in
this time its beginning could be the second of two batches, and appended it would put the first one
out of order. It is answered likewise. In epoch 0 there was no former leader, and nothing to settle.
"""

from __future__ import annotations

from typing import Final

from moldau.broker.log.producers.entry import SEQUENCE_MASK, ProducerEntry
from moldau.broker.log.producers.states import ProducerStates
from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import BatchHeader, read_whole_header

SETTLING_NS: Final = 2_000_000_000
"""Longer than requests that were sent before the first refusal lie in the buffers of a busy host;
shorter than `delivery.timeout.ms` of clients by far."""
_AHEAD_MAX: Final = 1 << 30
"""Sequences wrap: what is further ahead than this is behind."""


def is_gap(producers: ProducerStates, records: Buffer, epoch_start_offset: int) -> bool:
    """Whether a batch before this one is missing, which another leader may have or have refused."""
    try:
        header = read_whole_header(records)
    except CorruptRecordError:
        return False  # the log has the words for what is wrong with it
    if not header.has_producer:
        return False
    entry = producers.entry(header.producer_id)
    if entry is not None and entry.batches and entry.batches[-1].last_offset >= epoch_start_offset:
        return False
    return 0 < _ahead(entry, header) < _AHEAD_MAX


def _ahead(entry: ProducerEntry | None, header: BatchHeader) -> int:
    """How many sequences are missing before the batch."""
    expected = 0
    if entry is not None and entry.epoch == header.producer_epoch:
        expected = entry.last_sequence + 1
    elif entry is not None and entry.epoch > header.producer_epoch:
        return 0
    return (header.base_sequence - expected) & SEQUENCE_MASK
