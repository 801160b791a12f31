"""Payments: the same for the same seed, with fraud that the rules and the model can find."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice

from moldau.programs.pipelines.payments import passing, payments

UNTIL_MS = 1_795_000_000_000


def test_the_same_seed_gives_the_same_payments():
    assert list(payments(300, 4, UNTIL_MS)) == list(payments(300, 4, UNTIL_MS))
    assert list(payments(300, 4, UNTIL_MS)) != list(payments(300, 5, UNTIL_MS))


def test_there_is_fraud_of_every_kind_and_what_is_planted_can_be_read():
    made = list(payments(6_000, 1, UNTIL_MS))
    kinds = Counter(event.mark.partition(" ")[0] for event in made)
    assert set(kinds) == {"", "burst", "far", "spree"}
    assert all(not event.reason and json.loads(event.value or b"") for event in made if event.mark)
    assert {event.reason for event in made} == {"", "unparsable", "late"}


def test_they_come_in_the_order_of_their_time():
    times_ms = [event.timestamp_ms for event in payments(500, 2, UNTIL_MS)]
    assert times_ms == sorted(times_ms)
    assert len(times_ms) == 500


def test_passing_payments_come_at_their_rate_from_now_on():
    made = list(islice(passing(100, 3, UNTIL_MS), 20_000))
    assert made[0].timestamp_ms == UNTIL_MS
    apart_ms = [abs(each.timestamp_ms - UNTIL_MS - index * 10) for index, each in enumerate(made)]
    assert max(apart_ms) <= 1_000


def test_passing_payments_have_fraud_of_every_kind_by_cards_that_have_paid_before():
    made = list(islice(passing(100, 3, UNTIL_MS), 200_000))
    stolen = [event for event in made if event.mark]
    assert {event.mark.partition(" ")[0] for event in stolen} == {"burst", "far", "spree"}
    assert {event.reason for event in made} == {"", "unparsable", "late"}
    first = {event.key: event.mark for event in reversed(made)}
    assert not any(first[event.key] for event in stolen)


def test_passing_payments_are_the_same_for_the_same_seed():
    first, again, other = (list(islice(passing(9, seed, UNTIL_MS), 500)) for seed in (4, 4, 5))
    assert first == again
    assert first != other
