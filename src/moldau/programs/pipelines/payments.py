"""Payments by card with planted fraud: the same for the same seed, and each with the truth.

Most cards pay near home, a few times in some hours. Some are stolen, in one of three ways:

    burst    a dozen small payments within two minutes, to see whether the card works
    far      one payment in a city far away, minutes after one at home
    spree    three payments of many times the usual amount, near home, at night or not

`payments` are some hours of them, however many are wanted; `passing` are those of so many cards
that so many come in a second, for as long as they are taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count as numbers
from typing import Any

import numpy as np

from moldau.programs.pipelines.events import Event, text_of

__all__ = ["passing", "payments"]

CITIES = (
    ("Praha", 50.08, 14.43),
    ("Wien", 48.21, 16.37),
    ("Hamburg", 53.55, 9.99),
    ("Lyon", 45.76, 4.84),
    ("Lisboa", 38.72, -9.14),
    ("Helsinki", 60.17, 24.94),
    ("Singapore", 1.35, 103.82),
    ("Toronto", 43.65, -79.38),
)
SHOPS = ("groceries", "fuel", "restaurant", "books", "electronics", "tickets")
PAYMENTS_PER_CARD = 20
SPAN_S = 6 * 3_600
"""In which a card pays so often."""
STOLEN_SHARE = 0.06
"""Of all cards."""
MINUTE_MS = 60_000
LAG_MS = 2 * MINUTE_MS
"""From a payment of the owner to the thief's first."""
KINDS = ("burst", "far", "spree")
BURST = 12
SPREE = 3
LATE_MS = 3 * 86_400_000
NEAR = 0.2
"""Degrees around home in which people pay."""
ENDS, SHARES = ("", "unparsable", "late"), (0.985, 0.01, 0.005)

Payment = tuple[int, dict[str, Any], str]
"""When, what, and which fraud it belongs to."""


def payments(count: int, seed: int, until_ms: int, span_ms: int = SPAN_S * 1000) -> Iterator[Event]:
    """So many payments through the hours before `until_ms`; `mark` names the fraud."""
    draw = np.random.default_rng(seed)
    drawn: list[Payment] = []
    card = 0
    while len(drawn) < count:
        drawn += _card(draw, card, until_ms, span_ms)
        card += 1
    drawn = sorted(drawn[:count], key=lambda payment: payment[0])
    ends = draw.choice(ENDS, count, p=SHARES)
    for index, ((time_ms, payment, mark), reason) in enumerate(zip(drawn, ends, strict=True)):
        yield _event(index, (time_ms, payment, mark), str(reason))


def passing(per_second: int, seed: int, from_ms: int) -> Iterator[Event]:
    """Payments without an end at an even rate, from that time on."""
    draw = np.random.default_rng(seed)
    cards = per_second * SPAN_S // PAYMENTS_PER_CARD
    stolen: list[tuple[int, int, Payment]] = []
    for index in numbers():
        time_ms = from_ms + index * 1000 // per_second
        if stolen and stolen[0][0] <= time_ms:
            yield _event(index, heappop(stolen)[2], "")
            continue
        number = int(draw.integers(cards))
        card, home, usual = _name(number), number % (len(CITIES) - 2), 8.0 + number % 52
        payment = _payment(draw, card, home, usual * draw.uniform(0.3, 2.2))
        yield _event(index, (time_ms, payment, ""), str(draw.choice(ENDS, p=SHARES)))
        if draw.random() < STOLEN_SHARE / PAYMENTS_PER_CARD:
            kind = KINDS[int(draw.integers(len(KINDS)))]
            for step, theft in enumerate(_theft(draw, card, home, usual, kind, time_ms + LAG_MS)):
                heappush(stolen, (theft[0], index * BURST + step, theft))


def _event(index: int, made: Payment, reason: str) -> Event:
    time_ms, payment, mark = made
    end = "" if mark else reason  # what is planted can be found
    at_ms = time_ms - (LATE_MS if end == "late" else 0)
    value = json.dumps({"id": f"p{index:07d}", **payment, "at": text_of(at_ms)}).encode()
    spoilt = value[:-7] if end == "unparsable" else value
    return Event(payment["card"].encode(), spoilt, time_ms, end, mark=mark)


def _name(number: int) -> str:
    return f"{4_000_000_000 + number * 7919:010d}"


def _card(draw: np.random.Generator, number: int, until_ms: int, span_ms: int) -> Iterator[Payment]:
    """What one card pays, by its owner and perhaps by a thief."""
    card, home = _name(number), int(draw.integers(len(CITIES) - 2))
    usual = float(draw.uniform(8, 60))
    began_ms = until_ms - span_ms
    times_ms = np.sort(draw.integers(began_ms, until_ms, 1 + int(draw.poisson(PAYMENTS_PER_CARD))))
    for time_ms in times_ms:
        yield int(time_ms), _payment(draw, card, home, usual * draw.uniform(0.3, 2.2)), ""
    if draw.random() < STOLEN_SHARE:
        kind = KINDS[int(draw.integers(len(KINDS)))]
        stolen_ms = int(times_ms[len(times_ms) // 2]) + LAG_MS
        yield from _theft(draw, card, home, usual, kind, stolen_ms)


def _theft(
    draw: np.random.Generator, card: str, home: int, usual: float, kind: str, from_ms: int
) -> Iterator[Payment]:
    mark = f"{kind} {card}"
    if kind == "burst":
        for step in range(BURST):
            yield from_ms + step * 9_000, _payment(draw, card, home, 1.0), mark
    elif kind == "far":
        there = len(CITIES) - 1 - int(draw.integers(2))
        yield from_ms, _payment(draw, card, there, usual * 2), mark
    else:
        for step in range(SPREE):
            amount = usual * draw.uniform(9, 20)
            yield from_ms + step * 11 * MINUTE_MS, _payment(draw, card, home, amount), mark


def _payment(draw: np.random.Generator, card: str, city: int, amount: float) -> dict[str, Any]:
    name, lat, lon = CITIES[city]
    return {
        "card": card,
        "shop": SHOPS[int(draw.integers(len(SHOPS)))],
        "city": name,
        "amount": round(float(amount), 2),
        "lat": round(lat + float(draw.uniform(-NEAR, NEAR)), 5),
        "lon": round(lon + float(draw.uniform(-NEAR, NEAR)), 5),
    }
