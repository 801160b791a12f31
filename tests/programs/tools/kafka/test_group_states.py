"""Which groups are listed for which states; `tests/interop` compares the tools with Java's."""

from __future__ import annotations

from io import StringIO

import pytest

from moldau.client.admin import GroupType, ListedGroup
from moldau.programs.tools.kafka.flags import Flag, Takes, WrongUsageError, parse
from moldau.programs.tools.kafka.group_states import check_states, list_with_states

FLAGS = (Flag("state", "States.", Takes.MAYBE, "STATES"),)
STATES = ("Dead", "Empty", "Stable")
GROUPS = {
    name: ListedGroup(group_id=name, protocol_type="share", state=state, type=GroupType.SHARE)
    for name, state in (("idle", "Empty"), ("busy", "Stable"))
}


def printed(world) -> list[str]:
    assert isinstance(world.out, StringIO)
    return world.out.getvalue().splitlines()


def test_states_are_named_in_any_case_and_order():
    check_states(parse(FLAGS, ["--state", "stable, EMPTY"]), STATES)
    check_states(parse(FLAGS, ["--state"]), STATES)
    check_states(parse(FLAGS, []), STATES)


def test_a_state_that_no_group_has_is_refused_with_those_there_are():
    with pytest.raises(WrongUsageError, match=r"'busy'.* Dead, Empty, Stable"):
        check_states(parse(FLAGS, ["--state", "busy"]), STATES)


def test_only_groups_in_a_wanted_state_are_listed(world):
    assert list_with_states(parse(FLAGS, ["--state", "STABLE"]), GROUPS, world)
    assert printed(world) == ["GROUP           STATE", "busy            Stable"]


def test_without_the_flag_nothing_is_printed_here(world):
    assert not list_with_states(parse(FLAGS, []), GROUPS, world)
    assert printed(world) == []
