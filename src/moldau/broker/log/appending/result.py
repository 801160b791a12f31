"""What an append returns."""

from __future__ import annotations

from moldau.protocol.records.batch import NO_TIMESTAMP


class AppendResult:
    """The offsets that an append got, and where it went."""

    __slots__ = (
        "first_offset", "is_duplicate", "last_offset", "log_append_time", "log_start_offset",
        "max_timestamp",
    )  # fmt: skip

    def __init__(
        self,
        first_offset: int,
        last_offset: int,
        max_timestamp: int = NO_TIMESTAMP,
        log_append_time: int = NO_TIMESTAMP,
        log_start_offset: int = 0,
        is_duplicate: bool = False,
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.max_timestamp = max_timestamp
        self.log_append_time = log_append_time
        """The log-append time in the response; -1 where the producer's times stay."""
        self.log_start_offset = log_start_offset
        self.is_duplicate = is_duplicate
        """Whether the producer had sent this batch before: these are its old offsets."""

    def __repr__(self) -> str:
        return f"AppendResult({self.first_offset} to {self.last_offset})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AppendResult) and (
            self.first_offset == other.first_offset
            and self.last_offset == other.last_offset
            and self.max_timestamp == other.max_timestamp
            and self.log_append_time == other.log_append_time
            and self.log_start_offset == other.log_start_offset
            and self.is_duplicate == other.is_duplicate
        )
