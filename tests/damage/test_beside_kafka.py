"""A node on a damaged directory serves what Apache Kafka serves from the same, or better.

What Kafka did is written down, so the short check needs no Kafka. The long one asks it again, and
does every kind of damage; to write it down anew, set MOLDAU_RECORD=1.
"""

from __future__ import annotations

import os

import pytest

from tests.damage.allowed import ALLOWED
from tests.damage.beside import (
    outcomes_of_kafka,
    outcomes_of_moldau,
    record,
    recorded,
)
from tests.damage.kinds import KINDS

pytestmark = pytest.mark.timeout(600)

STATES = ("clean", "killed")
QUICK = (
    "nothing",
    "behind the end: zeros",
    "behind the end: most of a batch",
    "last: cut in the middle",
    "last: no .log",
    "second: no .log",
    "first: no file",
    "no directory",
    "last: a bit of the last payload",
    "last: a large bit of a length in the middle",
    "last: the last offset delta, high",
    "last: zeros for a page",
    "last: an .index that leads astray",
    "first: a .txnindex without sense",
    "half of the newest snapshot",
    "half of the leader epochs",
    "a .cut file",
)


def differences(state, ours, kafkas):
    """Where the two are not equal, and not as they are allowed to differ."""
    for name, outcome in ours.items():
        allowed = ALLOWED.get((state, name))
        expected = kafkas[name] if allowed is None else allowed.ours
        if outcome != expected:
            yield f"{name}: ours {tuple(outcome)}, expected {expected}, Kafka's {kafkas[name]}"


@pytest.mark.parametrize("state", STATES)
def test_a_damaged_directory_is_served_as_kafka_serves_it(state, tmp_path, volume):
    names = volume(QUICK, tuple(KINDS))
    ours = outcomes_of_moldau(tmp_path, names, clean=state == "clean")
    assert list(differences(state, ours, recorded(state))) == []


@pytest.mark.long
@pytest.mark.judge
def test_kafka_serves_what_is_written_down(kafka_libs, tmp_path):
    found = {}
    for state in STATES:
        known = recorded(state)
        stopping = [name for name in KINDS if isinstance(known.get(name), str)]
        folder = tmp_path / state
        folder.mkdir()
        outcomes = outcomes_of_kafka(kafka_libs, folder, stopping, clean=state == "clean")
        found[state] = {name: outcomes[name] for name in KINDS}
    if os.environ.get("MOLDAU_RECORD") == "1":
        record(found)
    assert found == {state: recorded(state) for state in STATES}


def test_every_allowed_difference_is_one():
    for (state, name), difference in ALLOWED.items():
        assert difference.ours != recorded(state)[name], f"{name} after {state}"
        assert difference.reason


def test_every_kind_of_damage_is_written_down():
    for state in STATES:
        assert set(recorded(state)) == set(KINDS)
    assert set(QUICK) <= set(KINDS)
