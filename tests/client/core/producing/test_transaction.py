"""What may be done now, and what has failed."""

from __future__ import annotations

import pytest

from moldau.client.core.producing.transaction import Stage, Transaction
from moldau.client.errors import ClosedError, FencedError, TransactionError


def begun() -> Transaction:
    made = Transaction("tx")
    made.begin()
    return made


def test_records_belong_into_an_open_transaction():
    with pytest.raises(TransactionError, match=r"begin one by producer\.transaction"):
        Transaction("tx").ensure_open()
    begun().ensure_open()


def test_only_one_is_open_at_a_time():
    with pytest.raises(TransactionError, match="is open"):
        begun().begin()


def test_one_that_has_failed_can_only_be_aborted():
    made = begun()
    made.fail(ClosedError())
    with pytest.raises(TransactionError, match="has to be aborted"):
        made.end(commits=True)
    made.end(commits=False)
    made.ended()
    made.begin()
    assert made.stage is Stage.OPEN


def test_one_that_was_fenced_is_over_for_good():
    made = begun()
    made.fail(FencedError("producer"))
    for step in (made.begin, made.ensure_open, lambda: made.end(commits=False)):
        with pytest.raises(FencedError):
            step()


def test_what_is_prepared_may_be_committed_or_aborted_and_takes_nothing_more():
    made = begun()
    made.prepare()
    with pytest.raises(TransactionError, match="is prepared"):
        made.ensure_open()
    made.end(commits=True)
    assert made.stage is Stage.ENDING
