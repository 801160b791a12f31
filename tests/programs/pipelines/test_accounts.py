"""Commands become events or refusals, and accounts are what their events make of them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import Row

from moldau.programs.pipelines.accounts import Account, AccountLogic, replayed

COMMANDS = st.lists(
    st.tuples(
        st.sampled_from(["open", "deposit", "withdraw", "close", "frob"]),
        st.integers(-5, 100),
        st.none() | st.integers(0, 9),
    ),
    max_size=30,
)


def command(name, what, amount=0, expected=None):
    return Row(
        id=name, account="a", command=what, amount=amount, expected_version=expected, at_us=0
    )


def decided(*commands, state=None, logic=None):
    state = {} if state is None else state
    return [found for each in commands for found in (logic or AccountLogic()).take(state, each)]


def names(found):
    return [(each.kind, each.name) for each in found]


def test_commands_become_events_with_versions():
    found = decided(command("1", "open"), command("2", "deposit", 50), command("3", "withdraw", 20))
    assert names(found) == [("event", "opened"), ("event", "deposited"), ("event", "withdrawn")]
    assert [each.version for each in found] == [1, 2, 3]
    assert found[-1].balance == 30


def test_what_cannot_be_is_refused_with_a_reason_and_changes_nothing():
    state = dict[str, Any]()
    decided(command("1", "open"), command("2", "deposit", 50), state=state)
    wrong = {
        "open already": command("3", "open"),
        "insufficient": command("4", "withdraw", 51),
        "no amount": command("5", "deposit", 0),
        "too much": command("10", "deposit", 2**63 - 1),
        "conflict": command("6", "deposit", 1, 1),
        "not empty": command("7", "close"),
        "unknown": command("8", "frob"),
        "repeated": command("2", "deposit", 50),
    }
    for reason, each in wrong.items():
        assert names(decided(each, state=state)) == [("refusal", reason)]
        assert state["account"] == [2, 50, True]
    assert names(decided(command("9", "deposit", 1), state={})) == [("refusal", "not open")]


def test_the_version_that_was_seen_lets_one_of_two_pass():
    found = decided(
        command("1", "open"), command("2", "deposit", 5, 1), command("3", "deposit", 7, 1)
    )
    assert names(found)[1:] == [("event", "deposited"), ("refusal", "conflict")]


@given(COMMANDS, st.integers(1, 5))
def test_a_snapshot_and_later_events_give_what_all_events_give(steps, every):
    state, logic = dict[str, Any](), AccountLogic(snapshot_every=every)
    commands = [
        command(str(index), what, amount, expected)
        for index, (what, amount, expected) in enumerate(steps)
    ]
    found = decided(*commands, state=state, logic=logic)
    events = [each for each in found if each.kind == "event"]
    anew = replayed((each.name, each.amount) for each in events)
    assert Account(*state.get("account", ())) == anew
    assert [each.version for each in events] == list(range(1, len(events) + 1))
    snapshots = [each for each in found if each.kind == "snapshot"]
    assert len(snapshots) == len(events) // every
    for snapshot in snapshots:
        begun = Account(snapshot.version, snapshot.balance, snapshot.is_open)
        later = [(each.name, each.amount) for each in events if each.version > snapshot.version]
        assert replayed(later, begun) == anew
