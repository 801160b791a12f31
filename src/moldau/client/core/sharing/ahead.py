"""How far a program is in an iteration over acquired records, and what it has not taken of them.

Whatever else the program calls ends the iteration over the records at hand; those that it has not
taken stay acquired and are neither accepted nor lost: the next poll returns them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from moldau.client.core.consuming.record import ConsumerRecord

__all__ = ["Ahead"]


class Ahead:
    """Records that were polled for an iteration."""

    def __init__(self) -> None:
        self._acquired: Sequence[ConsumerRecord] = ()
        self._rest: Iterator[ConsumerRecord] = iter(())

    def __repr__(self) -> str:
        return f"<Ahead: {len(self._acquired)} iterated>"

    def iterate(
        self, read: Sequence[ConsumerRecord], acquired: Sequence[ConsumerRecord]
    ) -> Iterator[ConsumerRecord]:
        """Those that were read are handed out one by one: the first so many that were acquired."""
        self._acquired, self._rest = acquired[: len(read)], iter(read)
        return self._rest

    def take(self) -> Sequence[ConsumerRecord]:
        """Those that were not taken, as they were acquired; the iteration ends."""
        acquired, self._acquired = self._acquired, ()
        return acquired[len(acquired) - len(list(self._rest)) :]
