"""Transactions that hold readers back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.producers.open_transactions import OpenTransactions


def test_the_oldest_open_one_holds_readers_back():
    transactions = OpenTransactions()
    assert transactions.first_unstable_offset is None
    transactions.open(10, 7)
    transactions.open(12, 8)
    assert (transactions.first_undecided_offset, transactions.oldest_producer_id) == (10, 7)
    assert transactions.close(12, 15, is_aborted=True).as_aborted() == (8, 12, 15, 10)
    assert transactions.close(10, 16, is_aborted=False).last_stable_offset == 17


def test_a_closed_one_holds_readers_back_until_its_marker_is_replicated():
    transactions = OpenTransactions()
    transactions.open(10, 7)
    transactions.close(10, 11, is_aborted=False)
    transactions.replicated_up_to(11)
    assert transactions.first_unstable_offset == 10
    transactions.replicated_up_to(12)
    assert transactions.first_unstable_offset is None


def test_the_one_that_began_first_counts_though_it_ended_last():
    transactions = OpenTransactions()
    for first_offset in (0, 1):
        transactions.open(first_offset, first_offset)
    for first_offset, marker_offset in ((1, 2), (0, 3)):
        transactions.close(first_offset, marker_offset, is_aborted=False)
    assert transactions.first_unstable_offset == 0


def test_after_a_reload_only_what_was_open_counts():
    transactions = OpenTransactions()
    transactions.open(10, 7)
    transactions.close(10, 11, is_aborted=False)
    transactions.reload([(30, 9), (20, 8)])
    assert (transactions.first_unstable_offset, len(transactions)) == (20, 2)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=40))
def test_the_first_unstable_offset_is_the_smallest_of_all(steps):
    transactions = OpenTransactions()
    opened: list[int] = []
    closed: dict[int, int] = {}
    for offset, (begins, number) in enumerate(steps):
        if begins:
            transactions.open(offset, offset)
            opened.append(offset)
        elif number < len(opened):
            closed[opened[number]] = offset
            transactions.close(opened.pop(number), offset, is_aborted=False)
        else:
            transactions.replicated_up_to(offset - number)
            closed = {one: marker for one, marker in closed.items() if marker >= offset - number}
        assert transactions.first_unstable_offset == min([*opened, *closed], default=None)
