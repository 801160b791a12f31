"""What is kept of a cluster, and what is forgotten."""

import re

from moldau.client import TopicPartition
from moldau.programs.lag.commits import Committed
from moldau.programs.lag.state import LagRules, LagState, Owner
from moldau.programs.lag.statuses import Status

A0, A1, B0 = (TopicPartition(*one) for one in (("a", 0), ("a", 1), ("b", 0)))


def state(**rules):
    found = LagState(LagRules(**rules))
    found.saw_ends({A0: 10, B0: 5})
    return found


def commit(to, part, offset, time_ms=0, group="g", *, is_new=True):
    to.saw_commit(Committed(group, part, offset, time_ms), time_ms, is_new=is_new)


def test_the_lag_is_what_is_left_up_to_the_last_known_end():
    known = state()
    commit(known, A0, 4)
    commit(known, B0, 9)  # beyond the end that was looked up last
    found = known.status("g", 0)
    assert [(one.part, one.lag) for one in found.partitions] == [(A0, 6), (B0, 0)]
    known.saw_ends({A0: 12, B0: 9})
    assert known.status("g", 0).total_lag == 8
    assert known.status("other", 0) is None


def test_a_commit_of_the_past_has_a_lag_only_where_it_is_at_the_end():
    known = state()
    for offset in (4, 10):
        commit(known, A0, offset, is_new=False)
    assert [one.lag for one in known.groups["g"][A0].commits] == [None, 0]


def test_a_group_that_stopped_before_the_start_is_found():
    known = state()
    commit(known, A0, 4, time_ms=50, is_new=False)
    assert known.status("g", 1000).status is Status.ERR


def test_tombstones_deleted_topics_and_silent_groups_are_forgotten():
    known = state(expire_ms=100)
    for group, part, time_ms in [("g", A0, 0), ("h", B0, 0), ("i", A0, 50), ("j", A0, 0)]:
        commit(known, part, 1, time_ms, group)
    commit(known, A0, None, group="j")
    known.saw_ends({A0: 10})
    assert sorted(known.groups) == ["g", "i"]
    known.expire(120)
    assert list(known.groups) == ["i"]
    assert known.topics() == {"a": [10]}


def test_a_topic_that_was_made_anew_has_no_former_ends():
    known = state()
    known.saw_ends({A0: 2, B0: 5})
    assert list(known.ends[A0]) == [2]


def test_unwanted_groups_are_not_looked_at():
    known = state(wants=re.compile("^x").search)
    commit(known, A0, 1)
    commit(known, A0, 1, group="xy")
    assert list(known.groups) == ["xy"]


def test_partitions_are_forgotten_one_by_one():
    known = state()
    known.owners["g"] = {A0: Owner("h", "c")}
    for part in (A0, A1):
        commit(known, part, 1)
    assert known.forget("g", A0)
    assert list(known.groups["g"]) == [A1]
    assert known.forget("g")
    assert not known.forget("g")
    assert known.owners == {}


def test_the_age_of_a_lag_is_that_of_the_record_which_is_next():
    known = state()
    commit(known, A0, 4)
    assert known.unread() == {(A0, 4)}
    assert known.lag_ms(A0, 4, 900) is None
    known.first_unread_ms[A0, 4] = 400
    assert known.lag_ms(A0, 4, 900) == 500
    assert known.lag_ms(A0, 10, 900) == 0


def test_a_partition_that_is_not_known_has_no_end():
    known = LagState(LagRules())
    known.saw_ends({A1: 4})
    assert known.topics() == {"a": [-1, 4]}
