"""Runs are cut where a caller looks, and stay in order and without holes."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.coordinator.share.partition.runs import RecordState, Run, Runs


def some_runs():
    runs = Runs()
    runs.append(Run(10, 19, RecordState.AVAILABLE, 1))
    runs.append(Run(20, 29, RecordState.ACQUIRED, 2, "m"))
    runs.append(Run(30, 39, RecordState.ACKNOWLEDGED, 1))
    return runs


def spans(runs):
    return [(run.first_offset, run.last_offset) for run in runs]


def test_what_is_asked_for_is_cut_out():
    runs = some_runs()
    assert spans(runs.within(15, 34)) == [(15, 19), (20, 29), (30, 34)]
    assert spans(runs) == [(10, 14), (15, 19), (20, 29), (30, 34), (35, 39)]


def test_looking_without_cutting_shows_whole_runs():
    runs = some_runs()
    assert spans(runs.touching(15, 25)) == [(10, 19), (20, 29)]
    assert spans(runs.touching(0, 9)) == []
    assert spans(runs.touching(40, 50)) == []
    assert len(runs) == 3


def test_what_is_outside_is_nothing():
    runs = some_runs()
    assert runs.within(0, 9) == []
    assert runs.within(40, 99) == []
    assert runs.within(25, 24) == []
    assert Runs().within(0, 9) == []


def test_all_below_an_offset_can_be_forgotten():
    runs = some_runs()
    runs.drop_below(25)
    assert spans(runs) == [(25, 29), (30, 39)]
    assert runs.first_offset == 25


def test_settled_runs_are_dropped_at_the_beginning_only():
    runs = some_runs()
    runs.drop_settled()
    assert len(runs) == 3
    runs.drop_below(30)
    runs.drop_settled()
    assert runs.first_offset is None


def test_a_run_in_transition_is_neither_free_nor_settled():
    assert not Run(0, 0, RecordState.AVAILABLE, 1, transition=3).is_free
    assert not Run(0, 0, RecordState.ARCHIVED, 1, transition=3).is_settled


@given(st.lists(st.tuples(st.integers(0, 45), st.integers(0, 45)), max_size=20))
def test_however_they_are_cut_no_offset_is_lost(cuts):
    runs = some_runs()
    for first, last in cuts:
        within = runs.within(first, last)
        asked = {offset for offset in range(first, last + 1) if 10 <= offset <= 39}
        assert asked == {
            offset for run in within for offset in range(run.first_offset, run.last_offset + 1)
        }
    edges = spans(runs)
    assert (edges[0][0], edges[-1][1]) == (10, 39)
    assert all(one[1] + 1 == other[0] for one, other in pairwise(edges))
