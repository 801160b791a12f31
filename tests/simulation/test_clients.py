"""Producers and consumers of ours in a simulated cluster full of trouble.

Nothing is lost, doubled or out of its order, and transactions are there as a whole.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.simulation import client_transactions as transactions
from tests.simulation.client_scenario import PARTITIONS, Result, result_of

pytestmark = pytest.mark.simulation

SCENARIOS = 1
TRANSACTIONS = 1
SCENARIOS_LONG = 60
SEED_STEP = 1000


def judge(result: Result) -> None:
    """Against what the last reader found."""
    for partition in range(PARTITIONS):
        log = result.log[partition]
        of_all = [rows for (_, where), rows in result.sent.items() if where == partition]
        acknowledged = [row for row in log if row[1] not in result.failed]
        assert sorted(row for rows in of_all for row in rows) == acknowledged
        for rows in of_all:
            assert rows == sorted(rows), "out of order"
        assert {row for where, rows in result.read if where == partition for row in rows} == set(
            log
        )
    values = [value for log in result.log.values() for _, value in log]
    assert len(values) == len(set(values)), "one that was given up is there twice"
    for _, rows in result.read:
        assert all(one[0] + 1 == other[0] for one, other in pairwise(rows)), (
            "a hole, or a repetition"
        )


def test_every_record_is_there_once_and_in_order_whatever_befalls_the_cluster(seed, volume):
    for number in range(volume(SCENARIOS, SCENARIOS_LONG)):
        drawn = seed + SEED_STEP * number
        result = result_of(drawn)
        try:
            judge(result)
        except AssertionError as error:
            raise AssertionError(f"seed {drawn}: {error}") from error


def judge_made(result: transactions.Result) -> None:
    """Each record that was given is in both partitions once; those of one partition in order."""
    whole = sorted(value for values in result.given.values() for value in values)
    assert len(whole) == transactions.RECORDS
    for made in result.made.values():
        assert sorted(made) == whole
        for given in result.given.values():
            assert [value for value in made if value in given] == given


def test_transactions_are_there_as_a_whole_whatever_befalls_their_workers(seed, volume):
    for number in range(volume(TRANSACTIONS, SCENARIOS_LONG)):
        drawn = seed + SEED_STEP * number
        result = transactions.result_of(drawn)
        try:
            judge_made(result)
        except AssertionError as error:
            raise AssertionError(f"seed {drawn}: {error}") from error


def test_the_same_seed_gives_the_same_events(seed):
    assert result_of(seed).mark == result_of.__wrapped__(seed).mark
