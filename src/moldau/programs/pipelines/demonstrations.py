"""What the pipelines are shown with: the topic, its events, and settings that fit them."""

from __future__ import annotations

from importlib.util import find_spec

from moldau.programs.pipelines.changes import mirrors_compared, shop_changes
from moldau.programs.pipelines.commands import commands, projections_compared
from moldau.programs.pipelines.events import ORDER_COLUMNS, clicks, log_lines, orders
from moldau.programs.pipelines.fraud_verdict import fraud_found
from moldau.programs.pipelines.order_events import order_events, outcomes_compared
from moldau.programs.pipelines.payments import payments
from moldau.programs.pipelines.pipeline import Demonstration
from moldau.programs.pipelines.readings import planted_found, readings

__all__ = [
    "CHANGES",
    "CLICKS",
    "COMMANDS",
    "LOGS",
    "ORDERS",
    "ORDER_EVENTS",
    "PAYMENTS",
    "READINGS",
]

ORDERS = Demonstration(
    topic="orders",
    settings=(
        f"schema={ORDER_COLUMNS}",
        "event_time=ordered_at",
        "size_max=65536",
        "partition_by=country",
        "group_by=country,product",
        "measure=amount",
        "compact_every=4",
        "batch_size=20000",
    ),
    events=orders,
)
CLICKS = Demonstration(
    topic="clicks",
    settings=("gap_s=900", "batch_size=20000", "compact_every=4"),
    events=clicks,
)
LOGS = Demonstration(
    topic="logs",
    settings=("alerts=alerts", "batch_size=20000", "compact_every=4"),
    events=log_lines,
)
PAYMENTS = Demonstration(
    topic="payments",
    settings=(
        *(["model=seed:7"] if find_spec("sklearn") else []),
        "alerts=alerts",
        "letters=rejected",
        "batch_size=20000",
        "compact_every=4",
    ),
    events=payments,
    verdict=fraud_found,
)
CHANGES = Demonstration(
    topic="shop",
    settings=("letters=rejected", "batch_size=20000", "compact_every=4"),
    events=shop_changes,
    verdict=mirrors_compared,
)
READINGS = Demonstration(
    topic="readings",
    settings=("alerts=alerts", "letters=rejected", "batch_size=20000", "compact_every=4"),
    events=readings,
    verdict=planted_found,
)
COMMANDS = Demonstration(
    topic="commands",
    settings=("events=events", "snapshots=snapshots", "letters=rejected", "batch_size=20000"),
    events=commands,
    verdict=projections_compared,
)
ORDER_EVENTS = Demonstration(
    topic="order-events",
    settings=("commands=undo", "letters=rejected", "batch_size=20000", "compact_every=4"),
    events=order_events,
    verdict=outcomes_compared,
)
