"""The checker is checked: forty histories that must not be, each found for what it is."""

import pytest

from tests.crash.checker import check
from tests.crash.history import History, Outcome, Poll, Send, Transaction

OK, FAILED, UNKNOWN = Outcome


def sent(*values, outcome=OK, producer="p", partition=0, transaction=None, offsets=None):
    offsets = offsets or [None] * len(values)
    return [
        Send(producer, partition, value, outcome, offset, transaction)
        for value, offset in zip(values, offsets, strict=True)
    ]


def at(*pairs):
    """`at((0, "a"), (1, "b"))`, or `at("ab")` for letters from offset 0 on."""
    if len(pairs) == 1 and isinstance(pairs[0], str):
        return tuple(enumerate(pairs[0]))
    return tuple(pairs)


def poll(*pairs, consumer="c", partition=0, committed_only=True):
    return Poll(consumer, partition, at(*pairs), committed_only)


def history(sends, final="", polls=(), transactions=(), more_final=None):
    parts = {0: at(final) if isinstance(final, str) else final, **(more_final or {})}
    return History(list(sends), list(transactions), list(polls), parts)


def committed(name):
    return Transaction(name, OK)


def aborted(name):
    return Transaction(name, FAILED)


def in_doubt(name):
    return Transaction(name, UNKNOWN)


GOOD = {
    "nothing": history([]),
    "plain": history(sent("a", "b", offsets=[0, 1]), "ab", [poll("ab")]),
    "unknown and gone": history(sent("a", outcome=UNKNOWN)),
    "unknown and there": history(sent("a", outcome=UNKNOWN), "a"),
    "failed and gone": history(sent("a", outcome=FAILED)),
    "gaps of markers": history(sent("a", "b"), at((0, "a"), (5, "b")), [poll((0, "a"), (5, "b"))]),
    "aborted and gone": history(sent("a", transaction="t"), transactions=[aborted("t")]),
    "committed": history(sent("a", "b", transaction="t"), "ab", transactions=[committed("t")]),
    "in doubt, all there": history(
        sent("a", "b", transaction="t"), "ab", transactions=[in_doubt("t")]
    ),
    "in doubt, nothing there": history(
        sent("a", "b", transaction="t"), transactions=[in_doubt("t")]
    ),
    "aborted, read uncommitted": history(
        sent("a", transaction="t"),
        polls=[poll("a", committed_only=False)],
        transactions=[aborted("t")],
    ),
    "two consumers": history(sent("a", "b"), "ab", [poll("ab"), poll("ab", consumer="d")]),
    "two partitions": history(
        sent("a") + sent("b", partition=1), "a", more_final={1: at((0, "b"))}
    ),
}

BAD = {
    # one offset, two values
    "offset twice, polls": ("inconsistent offset", history(
        sent("a", "b", outcome=UNKNOWN), polls=[poll((0, "a")), poll((0, "b"), consumer="d")])),
    "offset twice, poll and final": ("inconsistent offset", history(
        sent("a", "b", outcome=UNKNOWN), "a", [poll((0, "b"))])),
    "offset twice, late": ("inconsistent offset", history(
        sent(*"abcd", outcome=UNKNOWN), "abc", [poll((2, "d"))])),
    "offset twice, uncommitted": ("inconsistent offset", history(
        sent("a", "b", outcome=UNKNOWN), "a", [poll((0, "b"), committed_only=False)])),
    # one value, two offsets
    "value twice": ("duplicate", history(sent("a"), at((0, "a"), (1, "a")))),
    "value twice, far": ("duplicate", history(sent("a", "b"), at((0, "a"), (1, "b"), (9, "a")))),
    "value twice, polls": ("duplicate", history(
        sent("a"), "a", [poll((3, "a"))])),
    "value in two partitions": ("duplicate", history(
        sent("a"), "a", more_final={1: at((0, "a"))})),
    # not where it was acknowledged
    "misplaced": ("misplaced", history(sent("a", offsets=[1]), "a")),
    "misplaced by one": ("misplaced", history(sent("a", "b", offsets=[0, 2]), "ab")),
    "in another partition": ("misplaced", history(
        sent("a", offsets=[0]), more_final={1: at((0, "a"))})),
    "misplaced in a poll": ("misplaced", history(
        sent("a", outcome=UNKNOWN, offsets=[4]), polls=[poll((5, "a"))])),
    # gone
    "lost at the end": ("lost", history(sent("a", "b"), "a")),
    "lost at the beginning": ("lost", history(sent("a", "b"), at((1, "b")))),
    "lost in the middle": ("lost", history(sent("a", "b", "c"), at((0, "a"), (2, "c")))),
    "lost after it was read": ("lost", history(sent("a"), polls=[poll("a")])),
    "all lost": ("lost", history(sent("a", "b", "c"))),
    "lost of one partition": ("lost", history(
        sent("a") + sent("b", partition=1), "a")),
    "committed and lost": ("lost", history(
        sent("a", transaction="t"), transactions=[committed("t")])),
    "committed, unknown send, lost": ("lost", history(
        sent("a", outcome=UNKNOWN, transaction="t"), transactions=[committed("t")])),
    # never sent
    "foreign": ("foreign", history([], "a")),
    "foreign in a poll": ("foreign", history(sent("a"), "a", [poll((1, "x"))])),
    "foreign partition": ("foreign", history(sent("a"), "a", more_final={1: at((0, "x"))})),
    # definitely failed
    "failed and there": ("failed read", history(sent("a", outcome=FAILED), "a")),
    "failed and polled": ("failed read", history(sent("a", outcome=FAILED), polls=[poll("a")])),
    "failed and polled uncommitted": ("failed read", history(
        sent("a", outcome=FAILED), polls=[poll("a", committed_only=False)])),
    # aborted
    "aborted and there": ("aborted read", history(
        sent("a", transaction="t"), "a", transactions=[aborted("t")])),
    "aborted and polled": ("aborted read", history(
        sent("a", transaction="t"), polls=[poll("a")], transactions=[aborted("t")])),
    "one of two aborted": ("aborted read", history(
        sent("a", transaction="s") + sent("b", transaction="t"), "ab",
        transactions=[committed("s"), aborted("t")])),
    "aborted, unknown send": ("aborted read", history(
        sent("a", outcome=UNKNOWN, transaction="t"), "a", transactions=[aborted("t")])),
    # half a transaction
    "torn, in doubt": ("torn transaction", history(
        sent("a", "b", transaction="t"), "a", transactions=[in_doubt("t")])),
    "torn, committed": ("torn transaction", history(
        sent("a", "b", transaction="t"), at((1, "b")), transactions=[committed("t")])),
    "torn over partitions": ("torn transaction", history(
        sent("a", transaction="t") + sent("b", partition=1, transaction="t"), "a",
        transactions=[in_doubt("t")])),
    "torn in the middle": ("torn transaction", history(
        sent("a", "b", "c", transaction="t"), at((0, "a"), (2, "c")),
        transactions=[in_doubt("t")])),
    # order
    "sends reordered": ("reordered send", history(sent("a", "b"), at((0, "b"), (1, "a")))),
    "sends reordered, late": ("reordered send", history(
        sent("a", "b", "c"), at((0, "a"), (1, "c"), (2, "b")))),
    "sends reordered, one unknown": ("reordered send", history(
        sent("a", outcome=UNKNOWN) + sent("b"), at((0, "b"), (1, "a")))),
    "poll goes back": ("backward poll", history(
        sent("a", "b"), "ab", [poll((1, "b"), (0, "a"))])),
    "poll repeats": ("backward poll", history(sent("a"), "a", [poll("a"), poll("a")])),
    "next poll goes back": ("backward poll", history(
        sent("a", "b"), "ab", [poll((1, "b")), poll((0, "a"))])),
    # stepped over
    "skipped": ("skipped", history(sent(*"abc"), "abc", [poll((0, "a"), (2, "c"))])),
    "skipped several": ("skipped", history(sent(*"abcd"), "abcd", [poll((0, "a"), (3, "d"))])),
    "skipped, second poll": ("skipped", history(
        sent(*"abcde"), "abcde", [poll((0, "a")), poll((1, "b"), (3, "d"))])),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_a_history_that_may_be_is_let_pass(name):
    assert check(GOOD[name]) == []


@pytest.mark.parametrize("name", BAD)
def test_a_history_that_may_not_be_is_found_for_what_it_is(name):
    kind, wrong = BAD[name]
    assert kind in {anomaly.kind for anomaly in check(wrong)}


def test_there_are_at_least_forty_of_them():
    assert len(BAD) >= 40
