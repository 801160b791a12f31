"""Only after several short waits in a row, and alone on its core, a loop should poll."""

from __future__ import annotations

from moldau.platform.system.short_waits import HOLD_NS, LITTLE_WORK_NS, SHORT_NS, ShortWaits

SHORT = SHORT_NS - 1
LITTLE = LITTLE_WORK_NS - 1
ENOUGH = 8
MANY_POLLS = 100
NOW_NS = 5 * HOLD_NS


class Core:
    """How often it was taken away."""

    preemptions = 3


def after(*waits_ns, core=Core):
    waits = ShortWaits(lambda: core.preemptions)
    for took_ns in waits_ns:
        waits.note(LITTLE, took_ns)
    return waits


def polls(waits, *, worked_ns=LITTLE, now_ns=NOW_NS):
    return waits.should_poll(worked_ns, now_ns)


def test_a_loop_that_has_not_waited_yet_does_not_poll():
    assert not polls(after())


def test_after_some_short_waits_in_a_row_it_does():
    assert not polls(after(*[SHORT] * (ENOUGH - 1)))
    assert polls(after(*[SHORT] * ENOUGH))


def test_one_long_wait_begins_the_count_anew():
    waits = after(*[SHORT] * ENOUGH, SHORT_NS, *[SHORT] * (ENOUGH - 1))
    assert not polls(waits)
    waits.note(LITTLE, SHORT)
    assert polls(waits)


def test_after_much_work_it_does_not():
    assert not polls(after(*[SHORT] * ENOUGH), worked_ns=LITTLE_WORK_NS)


def test_a_short_wait_after_much_work_begins_the_count_anew():
    waits = after(*[SHORT] * ENOUGH)
    waits.note(LITTLE_WORK_NS, SHORT)
    assert not polls(waits)


def test_after_a_poll_in_vain_some_more_waits_must_be_short():
    waits = after(*[SHORT] * ENOUGH)
    waits.note_poll_in_vain()
    assert not polls(waits)
    for _ in range(ENOUGH // 2):
        waits.note(LITTLE, SHORT)
    assert polls(waits)


def test_alone_on_its_core_it_goes_on():
    waits = after(*[SHORT] * ENOUGH)
    assert all(polls(waits) for _ in range(MANY_POLLS))


def test_when_the_core_is_taken_away_it_pauses_and_then_tries_again():
    core = Core()
    waits = after(*[SHORT] * ENOUGH, core=core)
    assert polls(waits)
    core.preemptions += 1
    assert not all(polls(waits) for _ in range(MANY_POLLS))
    assert not polls(waits, now_ns=NOW_NS + HOLD_NS - 1)
    core.preemptions += 1  # while it slept between its requests, which harms no other thread
    assert all(polls(waits, now_ns=NOW_NS + HOLD_NS) for _ in range(MANY_POLLS))
