"""What two looks at a group say of its last rebalance."""

import pytest

from moldau.programs.console.groups.rebalances import (
    AGAIN,
    GROUPS_MAX,
    GroupLooks,
    Look,
    MemberLook,
    Rebalance,
)

A = MemberLook("a", "h1", reads=frozenset({"t-0"}))
B = MemberLook("b", "h2", reads=frozenset({"t-1"}))
BOTH = MemberLook("a", "h1", reads=frozenset({"t-0", "t-1"}))
STATIC = MemberLook("c", "h3", "pod-1", frozenset({"t-2"}))


def look(time_ms, members, epoch=None, state="Stable", coordinator=1):
    return Look(time_ms, state, epoch, coordinator, members)


def watched(*looks):
    kept = GroupLooks()
    return [kept.add("g", one) for one in looks][-1]


def why(before, after, **more):
    found = watched(look(0, before), look(5, after, **more)).rebalance
    assert found is not None
    return found.why


CASES = [
    ({"1": A, "2": B}, {"1": BOTH}, "b on h2 left or had its session time out"),
    ({"1": BOTH}, {"1": A, "2": B}, "b on h2 joined"),
    ({"1": A, "2": B}, {"1": A, "3": B}, f"b on h2 left and one of that name joined ({AGAIN})"),
    ({"1": STATIC}, {"2": STATIC}, f"pod-1 left and one of that name joined ({AGAIN})"),
    (
        {"1": A},
        {"2": B},
        "a on h1 left or had its session time out; b on h2 joined",
    ),
    (
        {"1": A},
        {"1": BOTH},
        "t-1 came in addition (new partitions, or a new subscription)",
    ),
    ({"1": BOTH}, {"1": A}, "t-1 is read no longer"),
    (
        {"1": A, "2": B},
        {"1": A._replace(reads=B.reads), "2": B._replace(reads=A.reads)},
        "partitions moved between the same members",
    ),
    (
        {},
        {str(number): A._replace(client=f"c{number}") for number in range(5)},
        "c0 on h1, c1 on h1, c2 on h1 and 2 more joined",
    ),
]


@pytest.mark.parametrize(("before", "after", "sentence"), CASES)
def test_the_difference_is_the_reason(before, after, sentence):
    assert why(before, after) == sentence


def test_without_a_difference_there_was_none():
    assert watched(look(0, {"1": A}, 7), look(5, {"1": A}, 7)) == (0, None)


def test_an_epoch_that_is_raised_is_one_and_a_move_of_the_coordinator_may_be_why():
    found = watched(look(0, {"1": A}, 7), look(5, {"1": A}, 8)).rebalance
    assert found == Rebalance(0, 5, "the same members share their partitions anew", (7, 8), False)
    moved = why({"1": A}, {"1": BOTH}, coordinator=2)
    assert moved == "the coordinator moved from broker 1 to broker 2"


def test_one_that_goes_on_is_compared_with_what_was_before_it():
    bare = {"1": A._replace(reads=frozenset())}
    looks = [
        look(0, {"1": A, "2": B}),
        look(5, {"1": A, "2": B}),
        look(10, bare, state="PreparingRebalance"),
        look(15, bare, state="CompletingRebalance"),
    ]
    going_on = watched(*looks).rebalance
    left = "b on h2 left or had its session time out"
    assert going_on == Rebalance(5, 10, left, None, True)
    over = watched(*looks, look(20, {"1": BOTH}), look(25, {"1": BOTH})).rebalance
    assert over == Rebalance(5, 10, left, None, False)


def test_a_rebalance_of_the_same_members_is_known_by_its_state():
    found = watched(look(0, {"1": A}), look(5, {"1": A}, state="PreparingRebalance"))
    assert found.rebalance is not None
    assert found.rebalance.why == "the same members share their partitions anew"


def test_the_group_that_was_looked_at_longest_ago_is_forgotten():
    kept = GroupLooks()
    kept.add("g", look(0, {}))
    for number in range(GROUPS_MAX):
        kept.add(f"g{number}", look(1, {}))
    assert kept.add("g", look(2, {})).since_ms == 2
