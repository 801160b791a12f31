"""What is known of a payment card, and what makes a payment by it suspicious.

Two rules look at the payments of one card, in the order in which they came:

    velocity   more payments in a short time than a person makes
    travel     a payment so far from the last trusted one that no person travels that fast

A payment that a rule rejects is no place to travel from, so the owner's next one is not blamed for
the thief's. Alerts of a card without a quiet time between them are one case, which ends by a timer.
What the rules measured goes on as features, for a model that has seen more than two rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import asin, cos, radians, sin, sqrt
from typing import NamedTuple

from pyspark.sql import Row

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.stateful import State

__all__ = ["OUTPUT", "CardLogic", "Judged", "kilometres"]

OUTPUT = (
    "kind string, id string, card string, at_us bigint, amount double, reasons string,"
    " velocity bigint, kmh double, ratio double, ended_us bigint, alerts bigint"
)
US_PER_S = 1_000_000
US_PER_MS = 1_000
S_PER_HOUR = 3_600
EARTH_RADIUS_KM = 6_371.0
RECENT_MAX = 100
"""Times that are kept of a card; a burst that is longer is no less a burst."""
FORGET_STEP_US = 60 * US_PER_S
"""Cards that are forgotten within a minute share a timer."""
KMH_MAX = 100_000.0
"""Two payments at one time in two places have a finite speed, too."""


class Judged(NamedTuple):
    """A payment with what the rules found, or a case that is over."""

    kind: str
    id: str | None
    card: str
    at_us: int
    amount: float
    reasons: str = ""
    velocity: int = 0
    """Payments in the time that ends with this one."""
    kmh: float = 0.0
    ratio: float = 1.0
    """How many times the card's usual amount."""
    ended_us: int | None = None
    alerts: int = 0


@dataclass(frozen=True, kw_only=True)
class CardLogic:
    """The rules, as a `Logic` of stateful.py; rows have id, card, amount, lat, lon and at_us."""

    velocity_max: int = 5
    velocity_s: int = 120
    kmh_max: int = 900
    travel_km: int = 150
    quiet_s: int = 900
    forget_s: int = 30 * 86_400

    def take(self, state: State, row: Row) -> Iterator[Judged]:
        yield from self._ended_case(state, row.at_us)
        state["card"] = row.card
        velocity, kmh = self._velocity(state, row.at_us), self._kmh(state, row)
        found = ["velocity"] * (velocity > self.velocity_max) + ["travel"] * (kmh > self.kmh_max)
        ratio = row.amount / state["mean"] if state.get("mean") else 1.0
        state["seen_us"] = max(row.at_us, state.get("seen_us", row.at_us))
        if found:
            _add_to_case(state, row)
        else:
            _trust(state, row)
        yield Judged(
            kind="payment",
            id=row.id,
            card=row.card,
            at_us=row.at_us,
            amount=row.amount,
            reasons=",".join(found),
            velocity=velocity,
            kmh=kmh,
            ratio=ratio,
        )

    def deadline_ms(self, state: State) -> int | None:
        """When the open case ends, and at last when the card is forgotten."""
        forgotten_us = state["seen_us"] + self.forget_s * US_PER_S
        deadlines_us = [-(-forgotten_us // FORGET_STEP_US) * FORGET_STEP_US]
        if "case" in state:
            deadlines_us.append(state["case"]["ended_us"] + self.quiet_s * US_PER_S)
        return int(min(deadlines_us)) // US_PER_MS + 1

    def expire(self, state: State, now_ms: int) -> Iterator[Judged]:
        yield from self._ended_case(state, now_ms * US_PER_MS)
        if state["seen_us"] + self.forget_s * US_PER_S < now_ms * US_PER_MS:
            state.clear()

    def _ended_case(self, state: State, now_us: int) -> Iterator[Judged]:
        case = state.get("case")
        if case and now_us > case["ended_us"] + self.quiet_s * US_PER_S:
            del state["case"]
            yield Judged(
                kind="case",
                id=None,
                card=state["card"],
                at_us=case["began_us"],
                amount=case["amount"],
                ended_us=case["ended_us"],
                alerts=case["alerts"],
            )

    def _velocity(self, state: State, at_us: int) -> int:
        """Payments up to this one, itself included; others may have come before their turn."""
        window_us = self.velocity_s * US_PER_S
        recent = sorted([*state.get("recent", []), at_us])
        oldest_us = recent[-1] - 2 * window_us
        state["recent"] = [time for time in recent if time > oldest_us][-RECENT_MAX:]
        return sum(at_us - window_us < time <= at_us for time in recent)

    def _kmh(self, state: State, row: Row) -> float:
        if "trusted" not in state:
            return 0.0
        at_us, lat, lon = state["trusted"]
        km = kilometres(lat, lon, row.lat, row.lon)
        if km < self.travel_km:
            return 0.0
        hours = abs(row.at_us - at_us) / US_PER_S / S_PER_HOUR
        return min(KMH_MAX, km / hours) if hours else KMH_MAX


def _trust(state: State, row: Row) -> None:
    """It is where the card is, and what is usual for it."""
    if "trusted" not in state or row.at_us >= state["trusted"][0]:
        state["trusted"] = [row.at_us, row.lat, row.lon]
    count, mean = state.get("count", 0), state.get("mean", 0.0)
    state["count"], state["mean"] = count + 1, mean + (row.amount - mean) / (count + 1)


def _add_to_case(state: State, row: Row) -> None:
    fresh = {"began_us": row.at_us, "ended_us": row.at_us, "alerts": 0, "amount": 0.0}
    case = state.setdefault("case", fresh)
    case["began_us"] = min(case["began_us"], row.at_us)
    case["ended_us"] = max(case["ended_us"], row.at_us)
    case["alerts"] += 1
    case["amount"] += row.amount


def kilometres(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    """Between two places, along the surface of the Earth."""
    up, along = radians(other_lat - lat) / 2, radians(other_lon - lon) / 2
    share = sin(up) ** 2 + cos(radians(lat)) * cos(radians(other_lat)) * sin(along) ** 2
    return 2 * EARTH_RADIUS_KM * asin(sqrt(min(1.0, max(0.0, share))))  # a latitude may be none
