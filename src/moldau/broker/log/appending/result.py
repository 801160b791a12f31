"""What an append returns."""

from __future__ import annotations

from typing import NamedTuple

from moldau.protocol.records.batch import NO_TIMESTAMP


class AppendResult(NamedTuple):
    """Where an append went."""

    first_offset: int
    last_offset: int
    max_timestamp: int = NO_TIMESTAMP
    log_append_time: int = NO_TIMESTAMP
    """The log-append time in the response; -1 where the producer's times stay."""
    log_start_offset: int = 0
    is_duplicate: bool = False
    """Whether the producer had sent this batch before: these are its old offsets."""
