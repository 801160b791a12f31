"""Crashes that once lost something, each as the shortest play that shows it."""

from __future__ import annotations

from tests.simulation.crash_judge import CrashJudge
from tests.simulation.play import Play


def watched(play: Play, *operations) -> None:
    judge = CrashJudge(play, "found", states_per_barrier=60)
    judge.attach()
    for operation in operations:
        operation()
    assert judge.judged


def test_an_abort_that_was_flushed_survives_the_roll_that_follows():
    play = Play("abort")
    play.append_in_transaction()
    play.end_transaction(aborts=True)
    play.flush()
    play.checkpoint()
    watched(play, play.append, play.roll, play.flush, play.checkpoint, play.roll)


def test_an_abort_survives_a_stop_in_order():
    play = Play("abort")
    play.append_in_transaction()
    play.end_transaction(aborts=True)
    play.flush()
    play.checkpoint()
    watched(play, play.restart)


def test_timestamps_are_found_after_a_truncation_into_a_sealed_segment_and_a_stop():
    play = Play("times")
    play.append()
    middle = play.truth.end
    play.append()
    play.flush()
    play.roll()
    play.append()
    play.flush()
    play.checkpoint()
    watched(play, lambda: play.truncate(middle), play.restart)
