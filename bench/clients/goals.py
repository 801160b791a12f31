"""Which client does what, and what ours is to cost beside the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

__all__ = ["CLIENTS", "GOALS", "Figures", "Goal", "judged"]

CLIENTS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "consume": {
        "moldau, Arrow": ("ours", "consume_arrow"),
        "moldau": ("ours", "consume"),
        "moldau, on a loop": ("ours", "consume_on_a_loop"),
        "confluent-kafka": ("confluent", "consume"),
        "aiokafka": ("aio", "consume"),
        "kafka-python": ("kafka_python", "consume"),
    },
    "produce": {
        "moldau, Arrow": ("ours", "produce_arrow"),
        "moldau": ("ours", "produce"),
        "moldau, on a loop": ("ours", "produce_on_a_loop"),
        "confluent-kafka": ("confluent", "produce"),
        "aiokafka": ("aio", "produce"),
        "kafka-python": ("kafka_python", "produce"),
    },
    "send": {
        "moldau": ("ours", "send"),
        "moldau, on a loop": ("ours", "send_on_a_loop"),
        "confluent-kafka": ("confluent", "send"),
        "confluent-kafka, on a loop": ("confluent", "send_on_a_loop"),
        "aiokafka": ("aio", "send"),
        "kafka-python": ("kafka_python", "send"),
    },
}
"""By task and client: the module that drives it, and the function."""

Figures = Mapping[str, Mapping[str, float]]
"""Of one task: medians by client and name."""


class Goal(NamedTuple):
    """`client` has at most `factor` of what `other` has; without another, at most `factor`."""

    task: str
    client: str
    figure: str
    factor: float
    other: str = ""

    def __str__(self) -> str:
        of = f" of {self.other}'s" if self.other else ""
        return f"{self.task}: {self.client}, {self.figure} <= {self.factor:g}{of}"

    def limit(self, figures: Figures) -> float:
        return self.factor * (figures[self.other][self.figure] if self.other else 1)


def _goals() -> Iterator[Goal]:
    yield Goal("consume", "moldau, Arrow", "cpu_ns", 250)
    yield Goal("produce", "moldau, Arrow", "cpu_ns", 400)
    for task in ("consume", "produce"):
        for face in ("moldau", "moldau, on a loop"):
            yield Goal(task, face, "cpu_ns", 1 / 4, "aiokafka")
            yield Goal(task, face, "cpu_ns", 1 / 8, "kafka-python")
    for figure in ("p50_us", "p99_us"):
        for other in ("aiokafka", "confluent-kafka, on a loop"):
            yield Goal("send", "moldau, on a loop", figure, 1, other)
        yield Goal("send", "moldau", figure, 1, "confluent-kafka")


GOALS = tuple(_goals())


def judged(task: str, figures: Figures) -> Iterator[str]:
    """A line for each goal of the task whose clients were measured."""
    for goal in GOALS:
        measured = {goal.client, goal.other or goal.client} <= set(figures)
        if goal.task == task and measured:
            found, limit = figures[goal.client][goal.figure], goal.limit(figures)
            yield f"{'met ' if found <= limit else 'MISSED'} {goal}: {found:.0f}, limit {limit:.0f}"
