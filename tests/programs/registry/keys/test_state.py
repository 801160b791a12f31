"""The state is what the records make of it."""

from __future__ import annotations

import pytest

from moldau.programs.registry.keys.records import (
    Dek,
    DekPlace,
    Kek,
    dek_record,
    dek_tombstone,
    kek_record,
    kek_tombstone,
)
from moldau.programs.registry.keys.state import KeyState

KEK = Kek("k", "local-kms", "one", {})


def dek(version, **more):
    return Dek(DekPlace("k", "s", "AES256_GCM", version), "YWJj", **more)


def state_of(*records):
    state = KeyState()
    for number, (key, value) in enumerate(records):
        state.apply(key, value, number)
    return state


def test_versions_come_oldest_first_and_deleted_ones_only_when_asked_for():
    state = state_of(dek_record(dek(2)), dek_record(dek(1, is_deleted=True)))
    live = [one.place.version for one in state.of_subject("k", "s", "AES256_GCM")]
    every = [one.place.version for one in state.of_subject("k", "s", "AES256_GCM", deleted=True)]
    assert (live, every) == ([2], [1, 2])


def test_a_tombstone_removes_a_key():
    state = state_of(kek_record(KEK), dek_record(dek(1)), dek_tombstone(dek(1).place))
    assert (list(state.keks), state.deks) == (["k"], {"k": {}})
    state.apply(*kek_tombstone("k"), 9)
    assert state.keks == {}


@pytest.mark.parametrize("key", [{"type": "DEK"}, {"type": "KEK", "name": "x"}, {"type": "X"}, {}])
def test_what_is_no_record_of_a_registry_changes_nothing(key):
    state = state_of((key, {}))
    assert (state.keks, state.deks) == ({}, {})
