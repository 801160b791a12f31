"""The states of a classic group."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.states import ClassicState, may_follow


def test_every_state_leads_to_some_other_one():
    for before in ClassicState:
        assert any(may_follow(state, before) for state in ClassicState)


def test_a_group_is_stable_only_after_its_assignment():
    befores = {before for before in ClassicState if may_follow(ClassicState.STABLE, before)}
    assert befores == {ClassicState.COMPLETING}
