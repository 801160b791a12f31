"""What can go wrong on the way into a topic."""

from __future__ import annotations

from moldau.errors import MoldauError

__all__ = ["HalfCommittedError", "SinkError"]


class SinkError(MoldauError):
    """A batch cannot be written, or not yet."""


class HalfCommittedError(SinkError):
    """A batch was decided, and a part of it was aborted by the broker before it was committed."""

    def __init__(self, batch: int, aborted: int, all_of_it: int) -> None:
        super().__init__(
            f"batch {batch} was decided, and then the broker aborted {aborted} of its {all_of_it}"
            " transactions, for the driver was away for longer than transaction.timeout.ms: compare"
            " the topics with the source, write what is missing, and go on with a new checkpoint;"
            " with transaction.two.phase.commit.enable at the brokers there is no such limit"
        )
