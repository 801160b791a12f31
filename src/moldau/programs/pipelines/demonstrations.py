"""What the pipelines are shown with: the topic, its events, and settings that fit them."""

from __future__ import annotations

from moldau.programs.pipelines.events import ORDER_COLUMNS, clicks, log_lines, orders
from moldau.programs.pipelines.pipeline import Demonstration

__all__ = ["CLICKS", "LOGS", "ORDERS"]

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
