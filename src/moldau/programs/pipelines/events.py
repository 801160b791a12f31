"""Events for demonstrations and tests: realistic, and the same for the same seed.

Each event knows how it should end, so what a pipeline makes of them can be held against the plain
truth.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from moldau.platform.quick_dataclass import dataclass

__all__ = ["ORDER_COLUMNS", "Event", "clicks", "log_lines", "orders", "text_of"]

ORDER_COLUMNS = (
    "order_id bigint, customer string, country string, city string, product string,"
    " quantity int, amount double, ordered_at timestamp, coupon string"
)
PLACES = (
    ("CZ", "Praha"),
    ("CZ", "Brno"),
    ("AT", "Wien"),
    ("DE", "Dresden"),
    ("DE", "Hamburg"),
    ("PL", "Wrocław"),
    ("SK", "Bratislava"),
    ("FR", "Lyon"),
)
PRODUCTS = (
    ("espresso machine", 349.0),
    ("kettle", 39.5),
    ("grinder", 89.9),
    ("teapot", 24.0),
    ("thermos", 29.9),
    ("beans, 1 kg", 18.5),
    ("filter papers", 4.2),
    ("mug", 9.9),
)
COUPONS = ("SPRING", "FRIEND", "SORRY")
ENDS = ("", "unparsable", "drifted", "late", "oversized", "empty")
SHARES = (0.9748, 0.012, 0.006, 0.005, 0.0002, 0.002)
"""How many of all orders end that way: nothing is as it should be in real topics."""
COUPONS_FROM = 0.6
"""From here on orders have a column that earlier ones lack."""
LATE_MS = 3 * 86_400_000
ON_ITS_WAY_MS_MAX = 4_000
OVERSIZED = 80 * 1024
"""More than the demonstration allows."""


@dataclass(frozen=True, slots=True)
class Event:
    """A record to be written, and how it should end."""

    key: bytes
    value: bytes | None
    timestamp_ms: int
    reason: str
    """Why it is rejected; empty if it is good."""
    amount: float = 0.0
    mark: str = ""
    """What was planted in it, for those that are to find it."""


def orders(count: int, seed: int, until_ms: int, span_ms: int = 6 * 3_600_000) -> Iterator[Event]:
    """Orders of a shop for coffee and tea, through the hours before `until_ms`."""
    draw = np.random.default_rng(seed)
    times_ms = np.sort(draw.integers(until_ms - span_ms, until_ms, count))
    ends = draw.choice(len(ENDS), count, p=SHARES)
    places = draw.zipf(1.6, count) % len(PLACES)
    products = draw.zipf(1.4, count) % len(PRODUCTS)
    quantities = draw.geometric(0.6, count)
    customers = draw.integers(1, max(2, count // 8), count)
    on_its_way_ms = draw.integers(0, ON_ITS_WAY_MS_MAX, count)
    for index in range(count):
        product, price = PRODUCTS[products[index]]
        country, city = PLACES[places[index]]
        order = {
            "order_id": index,
            "customer": f"c{customers[index]:06d}",
            "country": country,
            "city": city,
            "product": product,
            "quantity": int(quantities[index]),
            "amount": round(price * int(quantities[index]), 2),
            "ordered_at": text_of(int(times_ms[index]) - int(on_its_way_ms[index])),
        }
        if index > count * COUPONS_FROM and index % len(COUPONS) == 0:
            order["coupon"] = COUPONS[index // len(COUPONS) % len(COUPONS)]
        yield _ended(order, ENDS[ends[index]], int(times_ms[index]))


def _ended(order: dict[str, object], reason: str, time_ms: int) -> Event:
    """The order, spoilt in the way that leads to this reason."""
    amount = float(str(order["amount"]))
    if reason == "drifted":
        order["amount"] = f"{order['amount']} EUR"
    if reason == "late":
        order["ordered_at"] = text_of(time_ms - LATE_MS)
    if reason == "oversized":
        order["note"] = "x" * OVERSIZED
    value: bytes | None = json.dumps(order, ensure_ascii=False).encode()
    if reason == "unparsable":
        value = (value or b"")[:-12]
    if reason == "empty":
        value = None
    key = str(order["customer"]).encode()
    return Event(key, value, time_ms, reason, 0.0 if reason else amount)


PAGES = ("/", "/tea", "/coffee", "/grinders", "/teapots", "/journal")
STEPS = (("view", 0.35), ("cart", 0.6), ("checkout", 0.8), ("purchase", 0.0))
"""What a visitor does, and how likely the next step is."""
PAUSE_MS = 90_000
"""Between two clicks of a visit, on average; far below the gap that ends a session."""
CLICKS_PER_VISIT_MAX = 12
VISITORS_PER_CLICK = 0.05


def clicks(count: int, seed: int, until_ms: int, span_ms: int = 6 * 3_600_000) -> Iterator[Event]:
    """Visits to the site of that shop: some views, and fewer and fewer of the later steps."""
    draw = np.random.default_rng(seed)
    drawn: list[tuple[int, dict[str, object]]] = []
    while len(drawn) < count:
        visitor = f"v{draw.integers(0, max(2, int(count * VISITORS_PER_CLICK))):05d}"
        time_ms = until_ms - int(draw.integers(0, span_ms))
        step = 0
        for _ in range(int(draw.integers(1, CLICKS_PER_VISIT_MAX))):
            action, onward = STEPS[step]
            page = PAGES[int(draw.zipf(1.5)) % len(PAGES)] if step == 0 else f"/{action}"
            drawn.append((time_ms, {"visitor": visitor, "page": page, "action": action}))
            time_ms += int(draw.exponential(PAUSE_MS)) + 1
            if draw.random() < onward:
                step += 1
            elif step:
                break
    drawn = sorted(drawn[:count], key=lambda found: found[0])
    ends = draw.choice(("", "unparsable", "late"), count, p=(0.985, 0.01, 0.005))
    on_its_way_ms = draw.integers(0, ON_ITS_WAY_MS_MAX, count)
    for (time_ms, click), reason, delay_ms in zip(drawn, ends, on_its_way_ms, strict=True):
        late_ms = LATE_MS if reason == "late" else int(delay_ms)
        value = json.dumps({**click, "at": text_of(time_ms - late_ms)}).encode()
        spoilt = value[:-5] if reason == "unparsable" else value
        yield Event(str(click["visitor"]).encode(), spoilt, time_ms, str(reason))


SERVICES = ("checkout", "search", "stock", "mail")
LEVELS = ("DEBUG", "INFO", "WARN", "ERROR", "FATAL")
LEVEL_SHARES = (0.3, 0.6, 0.07, 0.025, 0.005)
MESSAGES = {
    "DEBUG": "cache hit",
    "INFO": "request served",
    "WARN": "slow answer from the database",
    "ERROR": "the payment provider does not answer",
    "FATAL": "out of memory",
}


def log_lines(count: int, seed: int, until_ms: int, span_ms: int = 3_600_000) -> Iterator[Event]:
    """Lines of the services behind that shop; one in a hundred was cut off."""
    draw = np.random.default_rng(seed)
    times_ms = np.sort(draw.integers(until_ms - span_ms, until_ms, count))
    levels = draw.choice(LEVELS, count, p=LEVEL_SHARES)
    services = draw.zipf(1.6, count) % len(SERVICES)
    is_cut = draw.random(count) < 0.01
    for index in range(count):
        service, level = SERVICES[services[index]], str(levels[index])
        message = f"{MESSAGES[level]} ({index})"
        at = text_of(int(times_ms[index]))
        value = json.dumps({"service": service, "level": level, "message": message, "at": at})
        spoilt = value[:-5] if is_cut[index] else value
        reason = "unparsable" if is_cut[index] else ""
        yield Event(service.encode(), spoilt.encode(), int(times_ms[index]), reason)


def text_of(time_ms: int) -> str:
    """As JSON has times."""
    return f"{np.datetime64(time_ms, 'ms')}Z"
