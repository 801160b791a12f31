"""Only after several short waits in a row, and alone on its core, a loop should poll."""

from __future__ import annotations

from moldau.platform.system.short_waits import (
    HOLD_FACTOR,
    HOLD_MAX_NS,
    LITTLE_WORK_NS,
    LOST_NS,
    SHORT_NS,
    ShortWaits,
)

SHORT = SHORT_NS - 1
LITTLE = LITTLE_WORK_NS - 1
ENOUGH = 8
MANY_POLLS = 100
A_TURN_NS = 50_000


class Core:
    """The clock, and how much of its time a thread has had this core."""

    def __init__(self):
        self.now_ns = 5 * HOLD_MAX_NS
        self.ran_ns = 0

    def run(self, took_ns=A_TURN_NS):
        self.now_ns += took_ns
        self.ran_ns += took_ns

    def give_to_another(self, took_ns):
        self.now_ns += took_ns


def after(*waits_ns, core=None):
    core = core or Core()
    waits = ShortWaits(lambda: core.ran_ns)
    for took_ns in waits_ns:
        core.now_ns += took_ns
        waits.note(LITTLE, took_ns)
    return waits


def polls(waits, *, worked_ns=LITTLE, core=None):
    return waits.should_poll(worked_ns, (core or Core()).now_ns)


def polls_all(waits, core):
    for _ in range(MANY_POLLS):
        core.run()
        if not polls(waits, core=core):
            return False
    return True


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
    core = Core()
    waits = after(*[SHORT] * ENOUGH, core=core)
    assert polls_all(waits, core)


def test_what_it_sleeps_meanwhile_is_not_lost():
    core = Core()
    waits = after(*[SHORT] * ENOUGH, core=core)
    for _ in range(MANY_POLLS):
        assert polls(waits, core=core)
        core.now_ns += HOLD_MAX_NS
        waits.note(LITTLE, HOLD_MAX_NS)
        for _ in range(ENOUGH):
            waits.note(LITTLE, 0)


def test_what_threads_of_the_kernel_take_does_not_end_it():
    core = Core()
    waits = after(*[SHORT] * ENOUGH, core=core)
    assert polls_all(waits, core)
    core.give_to_another(LOST_NS)
    assert polls_all(waits, core)


def test_when_the_core_is_taken_away_it_pauses_for_a_multiple_of_that():
    core = Core()
    waits = after(*[SHORT] * ENOUGH, core=core)
    assert polls(waits, core=core)
    core.give_to_another(LOST_NS + 1)
    while polls(waits, core=core):
        core.run()
    core.run(HOLD_FACTOR * (LOST_NS + 1) - 1)
    assert not polls(waits, core=core)
    core.run(1)
    assert polls_all(waits, core)


def test_however_much_was_lost_it_tries_again_soon():
    core = Core()
    waits = after(*[SHORT] * ENOUGH, core=core)
    assert polls(waits, core=core)
    core.give_to_another(HOLD_MAX_NS)
    while polls(waits, core=core):
        core.run()
    core.run(HOLD_MAX_NS)
    assert polls_all(waits, core)
