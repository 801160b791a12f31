"""Ids of what is gone are remembered."""

import json

from moldau.programs.registry.highest_ids import HEADER, apply_header, header_of, with_reminder
from moldau.programs.registry.records import tombstone
from moldau.programs.registry.state import RegistryState
from moldau.schemas.levels import Level
from tests.programs.registry.asked import record


def test_each_record_carries_the_highest_ids(ask):
    ask.register("s", record("a"))
    ask.register(":.x:s", record("a"))
    name, value = header_of(ask.state, [])
    assert (name, json.loads(value)) == (HEADER, {".": 1, ".x": 1})


def test_where_the_highest_id_goes_for_good_a_record_that_stays_has_it(ask):
    ask.register("s", record("a"))
    ask.register("s", record("a", "b="))
    lower, higher = tombstone("s", 1), tombstone("s", 2)
    assert with_reminder(ask.state, [lower], Level.FULL) == [lower]
    _, reminder = with_reminder(ask.state, [higher], Level.FULL)
    assert reminder.key == {"keytype": "CONFIG", "magic": 0}
    assert reminder.value == {"compatibilityLevel": "FULL"}


def test_a_header_raises_what_is_known_and_never_lowers_it():
    state = RegistryState()
    apply_header(state, [(HEADER, b'{".":7}'), ("other", b"{"), (HEADER, b"{"), (HEADER, b"[]")])
    apply_header(state, [(HEADER, b'{".":3,".x":"a"}')])
    assert state.contexts["."].highest == 7
