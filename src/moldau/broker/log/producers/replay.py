"""Bringing the state of producers up to a point in the log, from the batches themselves."""

from __future__ import annotations

from moldau.broker.log.producers.end_marker import holds_marker, read_end_marker
from moldau.broker.log.producers.open_transactions import CompletedTransaction
from moldau.broker.log.producers.states import ProducerStates
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.segment.segments import Segments
from moldau.protocol.records.batch import BatchHeader


def replay(producers: ProducerStates, segments: Segments, end_offset: int) -> None:
    """Apply all batches from where the state ends up to `end_offset`; damaged ones are passed over.

    Transaction indexes are not touched: what they have of these batches is there already.
    """
    for segment in segments.starting_at_floor(producers.map_end_offset):
        if segment.base_offset >= end_offset:
            break
        _replay_segment(producers, segment, end_offset)
    producers.map_end_offset = max(producers.map_end_offset, end_offset)


def _replay_segment(producers: ProducerStates, segment: Segment, end_offset: int) -> None:
    found = segment.locate(producers.map_end_offset)
    if found is None:
        return
    for position, header in segment.batches_past_damage(found[0]):
        if header.base_offset >= end_offset:
            return
        apply_stored(producers, segment, position, header)
        producers.map_end_offset = header.next_offset


def apply_stored(
    producers: ProducerStates, segment: Segment, position: int, header: BatchHeader
) -> CompletedTransaction | None:
    """Apply one batch that lies in a segment; a marker is read from there."""
    if header.producer_id < 0:
        return None
    marker = None
    if holds_marker(header):
        marker = read_end_marker(segment.read_batch(position, header))
    return producers.apply(header, marker)
