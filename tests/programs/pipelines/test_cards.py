"""Rules about one card: what is suspicious, and what follows from it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import Row

from moldau.programs.pipelines.cards import CardLogic, kilometres

HOME, FAR = (50.08, 14.43), (1.35, 103.82)
MINUTE = 60


def payment(at_s, place=HOME, amount=10.0):
    lat, lon = place
    return Row(id=f"p{at_s}", card="c", amount=amount, lat=lat, lon=lon, at_us=at_s * 1_000_000)


def taken(*payments, logic=None, state=None):
    logic, state = logic or CardLogic(), {} if state is None else state
    return [row for each in payments for row in logic.take(state, each)]


def test_the_distance_is_that_of_an_atlas():
    assert kilometres(50.08, 14.43, 48.21, 16.37) == pytest.approx(251, abs=2)
    assert kilometres(0, 0, 0, 180) == pytest.approx(20_015, abs=1)


def test_more_payments_than_a_person_makes_are_a_burst():
    rows = taken(*(payment(step * 10) for step in range(7)))
    assert [row.reasons for row in rows] == [""] * 5 + ["velocity"] * 2
    assert [row.velocity for row in rows] == [1, 2, 3, 4, 5, 6, 7]


def test_payments_are_counted_by_their_time_and_not_by_their_turn():
    rows = taken(*(payment(at_s) for at_s in (200, 0, 190, 10)))
    assert [row.velocity for row in rows] == [1, 1, 1, 2]


def test_no_person_travels_that_fast_and_the_owner_is_not_blamed():
    rows = taken(payment(0), payment(10 * MINUTE, FAR), payment(12 * MINUTE))
    assert [row.reasons for row in rows] == ["", "travel", ""]
    assert rows[1].kmh > 50_000


def test_a_flight_takes_its_time():
    assert taken(payment(0), payment(12 * 3_600, FAR))[1].reasons == ""


def test_two_places_at_one_time_have_a_finite_speed():
    assert taken(payment(0), payment(0, FAR))[1].kmh == 100_000


def test_places_that_are_none_have_a_distance():
    for lat in (120.0, -1e300, 91.0):
        assert 0 <= kilometres(lat, 0.0, 50.0, 180.0) < 25_000


def test_the_usual_amount_is_that_of_trusted_payments():
    rows = taken(payment(0), payment(200, FAR, 900.0), payment(400, amount=30.0))
    assert [row.ratio for row in rows] == [1.0, 90.0, 3.0]


def test_alerts_are_one_case_until_it_was_quiet():
    logic, state = CardLogic(), dict[str, Any]()
    taken(payment(0), payment(60, FAR, 20.0), payment(300, FAR, 5.0), logic=logic, state=state)
    assert logic.deadline_ms(state) == (300 + 900) * 1_000 + 1
    (case,) = logic.expire(state, logic.deadline_ms(state) or 0)
    assert (case.kind, case.card, case.alerts, case.amount) == ("case", "c", 2, 25.0)
    assert (case.at_us, case.ended_us) == (60_000_000, 300_000_000)
    assert "case" not in state


def test_a_case_ends_with_the_next_payment_where_no_timer_came_before_it():
    rows = taken(payment(0), payment(60, FAR), payment(3_600))
    assert [row.kind for row in rows] == ["payment", "payment", "case", "payment"]


def test_a_card_without_payments_is_forgotten():
    logic, state = CardLogic(forget_s=100), dict[str, Any]()
    taken(payment(0), logic=logic, state=state)
    assert list(logic.expire(state, logic.deadline_ms(state) or 0)) == []
    assert state == {}


@given(st.lists(st.tuples(st.integers(0, 2_000), st.sampled_from([HOME, FAR])), max_size=30))
def test_timers_give_the_cases_that_a_later_payment_would(steps):
    """A case ends once and is the same, whether a payment or a timer ends it."""
    payments = [payment(at_s, place) for at_s, place in sorted(steps)]
    last = payment(100_000)
    by_payment = [row for row in taken(*payments, last) if row.kind == "case"]
    logic, state, by_timer = CardLogic(), dict[str, Any](), list[Any]()
    for each in payments:
        while state and (logic.deadline_ms(state) or 0) * 1_000 < each.at_us:
            by_timer += logic.expire(state, logic.deadline_ms(state) or 0)
        by_timer += [row for row in logic.take(state, each) if row.kind == "case"]
    while "case" in state:
        by_timer += logic.expire(state, logic.deadline_ms(state) or 0)
    assert by_timer == by_payment
    assert sum(case.alerts for case in by_timer) == sum(
        bool(row.reasons) for row in taken(*payments)
    )
