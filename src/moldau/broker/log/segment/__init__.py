"""A piece of a partition: one `.log` file and the three indexes beside it.

Owns the names and bytes of these files, and finds an offset or a timestamp in them. It has
nothing of other segments but their order, and does not decide when one begins or goes.

Reading order: file_names, batch_walk, salvage, file_slice, last_places, sparse_index, offset_index,
time_index, segment_indexes, transaction_index, segment_files, segment, segments.
"""

from moldau.broker.log.segment.segment import MAX_SEGMENT_BYTES, Segment

__all__ = ["MAX_SEGMENT_BYTES", "Segment"]
