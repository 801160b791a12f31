"""The states of a transactional id, and the steps that are allowed between them.

    Empty ──► Ongoing ──► PrepareCommit ──► CompleteCommit ──► Ongoing or Empty
                 └──────► PrepareAbort ───► CompleteAbort ───► Ongoing or Empty

Preparing is the decision: once it is in the log, only markers are left to be written.
Transactions v2 (KIP-890) may abort what has not begun, so PrepareAbort may also follow the states
in which nothing is open.
Fencing an open transaction passes through PrepareEpochFence, which is never written.
"""

from __future__ import annotations

from enum import IntEnum

from moldau.errors import DecodeError


class TransactionState(IntEnum):
    """The number stands in records, the title in answers."""

    title: str

    def __new__(cls, number: int, title: str) -> TransactionState:
        state = int.__new__(cls, number)
        state._value_ = number
        state.title = title
        return state

    EMPTY = 0, "Empty"
    ONGOING = 1, "Ongoing"
    PREPARE_COMMIT = 2, "PrepareCommit"
    PREPARE_ABORT = 3, "PrepareAbort"
    COMPLETE_COMMIT = 4, "CompleteCommit"
    COMPLETE_ABORT = 5, "CompleteAbort"
    DEAD = 6, "Dead"
    PREPARE_EPOCH_FENCE = 7, "PrepareEpochFence"

    @classmethod
    def read(cls, number: int) -> TransactionState:
        """The state of a number in a record."""
        state = _BY_NUMBER.get(number)
        if state is None:
            raise DecodeError(f"a transaction record has the unknown state {number}")
        return state

    @property
    def is_ending(self) -> bool:
        """Decided; the markers are on their way."""
        return self in (TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT)

    @property
    def is_idle(self) -> bool:
        """No transaction is open."""
        return self in _IDLE


_BY_NUMBER = {state.value: state for state in TransactionState}
_IDLE = frozenset(
    {TransactionState.EMPTY, TransactionState.COMPLETE_COMMIT, TransactionState.COMPLETE_ABORT}
)

STATES_BEFORE: dict[TransactionState, frozenset[TransactionState]] = {
    TransactionState.EMPTY: _IDLE,
    TransactionState.ONGOING: _IDLE | {TransactionState.ONGOING},
    TransactionState.PREPARE_COMMIT: frozenset({TransactionState.ONGOING}),
    TransactionState.PREPARE_ABORT: _IDLE
    | {TransactionState.ONGOING, TransactionState.PREPARE_EPOCH_FENCE},
    TransactionState.COMPLETE_COMMIT: frozenset({TransactionState.PREPARE_COMMIT}),
    TransactionState.COMPLETE_ABORT: frozenset({TransactionState.PREPARE_ABORT}),
    TransactionState.DEAD: _IDLE,
    TransactionState.PREPARE_EPOCH_FENCE: frozenset({TransactionState.ONGOING}),
}
"""From which states each may be entered."""

STATES_BY_TITLE = {state.title: state for state in TransactionState}
