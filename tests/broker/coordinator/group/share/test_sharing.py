"""One sharing out: who keeps, who gives up, who gets."""

from __future__ import annotations

from moldau.broker.coordinator.group.java_order import int_hash
from moldau.broker.coordinator.group.share.sharing import Sharing


def shared(partitions, members, before=None, size=None):
    size = size or len(members)
    known = before or [[] for _ in range(size)]
    sharing = Sharing(int_hash, range(partitions), members, size, known)
    return [list(given) for given in sharing.shared()]


def test_partitions_go_round():
    assert shared(5, [0, 1]) == [[0, 2, 4], [1, 3]]


def test_partitions_are_shared_by_as_many_as_it_takes():
    assert shared(2, [0, 1, 2]) == [[0, 1], [0], [1]]


def test_who_has_too_much_gives_up_what_comes_first():
    assert shared(4, [0, 1], [[0, 1, 2, 3], []]) == [[2, 3], [0, 1]]


def test_what_too_many_have_is_taken_from_the_first():
    assert shared(3, [0, 1, 2], [[0], [0], [0]]) == [[1], [2], [0]]


def test_who_does_not_take_part_gives_all_up():
    assert shared(2, [1], [[0, 1], []], size=2) == [[], [0, 1]]


def test_where_nothing_is_to_be_shared_no_member_keeps_anything():
    assert shared(0, [0, 1], [[0], []]) == [[], []]
    assert repr(Sharing(int_hash, [], [0], 1, [[]])) == "Sharing(0 partitions, 0 members for each)"
