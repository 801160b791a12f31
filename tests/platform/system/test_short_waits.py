"""Only after several short waits in a row another one is expected."""

from __future__ import annotations

from moldau.platform.system.short_waits import SHORT_NS, ShortWaits

SHORT = SHORT_NS - 1
ENOUGH = 8


def after(*waits_ns):
    waits = ShortWaits()
    for took_ns in waits_ns:
        waits.note(took_ns)
    return waits


def test_a_loop_that_has_not_waited_yet_expects_nothing():
    assert not ShortWaits().expect_another


def test_some_short_waits_in_a_row_let_another_be_expected():
    assert not after(*[SHORT] * (ENOUGH - 1)).expect_another
    assert after(*[SHORT] * ENOUGH).expect_another


def test_one_long_wait_begins_the_count_anew():
    waits = after(*[SHORT] * ENOUGH, SHORT_NS, *[SHORT] * (ENOUGH - 1))
    assert not waits.expect_another
    waits.note(SHORT)
    assert waits.expect_another


def test_after_a_poll_in_vain_some_more_waits_must_be_short():
    waits = after(*[SHORT] * ENOUGH)
    waits.note_poll_in_vain()
    assert not waits.expect_another
    for _ in range(ENOUGH // 2):
        waits.note(SHORT)
    assert waits.expect_another
