"""A decision names the records, and changes nothing itself."""

from __future__ import annotations

import pytest

from moldau.programs.http.messages import HttpError
from moldau.programs.registry.keys import deciding
from moldau.programs.registry.keys.deciding import create_kek, delete_kek
from moldau.programs.registry.keys.state import KeyState

BODY = {"name": "k", "kmsType": "local-kms", "kmsKeyId": "one"}


def test_a_decision_assigns_nothing():
    state = KeyState()
    name, records = create_kek(state, BODY)
    assert (name, len(records), state.keks) == ("k", 1, {})


def test_there_are_no_more_keks_than_fit_into_memory(monkeypatch):
    monkeypatch.setattr(deciding, "KEKS_MAX", 1)
    state = KeyState()
    for record in create_kek(state, BODY)[1]:
        state.apply(*record, 0)
    with pytest.raises(HttpError, match="A maximum of 1 keys already exist"):
        create_kek(state, {**BODY, "name": "other"})


def test_what_is_deleted_already_is_not_deleted_again():
    state = KeyState()
    for record in create_kek(state, BODY)[1]:
        state.apply(*record, 0)
    for record in delete_kek(state, "k", permanent=False)[1]:
        state.apply(*record, 1)
    assert delete_kek(state, "k", permanent=False) == (None, [])
