"""States of a transactional id."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.transaction.states import (
    STATES_BEFORE,
    STATES_BY_TITLE,
    TransactionState,
)
from moldau.errors import DecodeError
from tests.present import present

ONGOING = TransactionState.ONGOING


def test_every_state_of_a_record_is_read():
    assert [TransactionState.read(number) for number in range(8)] == list(TransactionState)


def test_an_unknown_state_is_no_record():
    with pytest.raises(DecodeError, match="state 8"):
        TransactionState.read(8)


def test_a_decision_is_taken_once():
    ending = {state for state in TransactionState if state.is_ending}
    assert all(not (STATES_BEFORE[state] & ending) for state in present(ending))


def test_only_a_decision_leads_to_its_own_end():
    for what in ("Commit", "Abort"):
        before = STATES_BEFORE[STATES_BY_TITLE[f"Complete{what}"]]
        assert before == {STATES_BY_TITLE[f"Prepare{what}"]}


def test_nothing_is_open_where_an_id_may_be_forgotten():
    assert STATES_BEFORE[TransactionState.DEAD] == {
        state for state in TransactionState if state.is_idle
    }
    assert not ONGOING.is_idle
