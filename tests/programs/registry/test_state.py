"""The state is what the records make of it."""

from __future__ import annotations

from moldau.programs.registry.records import (
    StoredSchema,
    delete_subject_record,
    schema_record,
    tombstone,
)
from moldau.programs.registry.state import RegistryState
from moldau.schemas.model import Reference, SchemaText, guid_of


def stored(subject, version, number, text='"int"', **more):
    schema = SchemaText(text, **more)
    return StoredSchema(subject, version, number, guid_of(schema), schema)


def state_of(*records):
    state = RegistryState()
    for key, value in records:
        state.apply(key, value)
    return state


def live(state, subject):
    return [one.version for one in state.versions(subject)]


def test_deleting_softly_hides_versions_up_to_a_number():
    records = [schema_record(stored("s", number, number)) for number in (1, 2, 3)]
    state = state_of(*records, delete_subject_record("s", 2))
    assert live(state, "s") == [3]
    assert len(state.versions("s", deleted=True)) == 3


def test_a_tombstone_removes_a_version_and_keeps_its_id_from_being_given_again():
    state = state_of(schema_record(stored("s", 1, 5)), tombstone("s", 1))
    assert state.subjects == {}
    assert state.contexts["."].highest == 5
    assert state.contexts["."].by_key == {}
    assert state.by_guid == {}


def test_an_id_is_there_as_long_as_some_subject_has_it():
    state = state_of(
        schema_record(stored("s", 1, 5)), schema_record(stored("t", 1, 5)), tombstone("s", 1)
    )
    assert list(state.contexts["."].places[5]) == [("t", 1)]
    assert list(state.by_guid.values()) == [("t", 1)]


def test_contexts_have_ids_of_their_own():
    state = state_of(schema_record(stored("s", 1, 5)), schema_record(stored(":.x:s", 1, 1)))
    assert (state.contexts["."].highest, state.contexts[".x"].highest) == (5, 1)


def test_references_are_known_from_both_ends():
    referring = stored("t", 1, 2, references=(Reference("n", "s", 1),))
    state = state_of(schema_record(stored("s", 1, 1)), schema_record(referring))
    assert list(state.referrers["s", 1]) == [("t", 1)]
    state.apply(*tombstone("t", 1))
    assert list(state.referrers["s", 1]) == []


def test_a_subject_that_is_cleared_is_gone():
    key = {"keytype": "CLEAR_SUBJECT", "subject": "s", "magic": 0}
    assert state_of(schema_record(stored("s", 1, 1)), (key, {"subject": "s"})).subjects == {}


def test_what_is_no_record_of_a_registry_changes_nothing():
    odd = [
        ({"keytype": "SCHEMA", "subject": "s", "version": 1}, {"subject": "s"}),
        ({"keytype": "SCHEMA", "subject": "s"}, None),
        ({"keytype": "NOOP", "magic": 0}, None),
        ({"keytype": "NEWER"}, {"a": 1}),
        ({}, None),
    ]
    state = state_of(*odd)
    assert (state.subjects, state.configs, state.modes) == ({}, {}, {})
    assert repr(state) == "RegistryState(0 subjects)"
