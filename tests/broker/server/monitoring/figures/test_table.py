"""Rows of a table become metrics."""

from typing import Any

from moldau.broker.metrics.kinds import Histogram
from moldau.broker.metrics.registry import Registry
from moldau.broker.server.monitoring.figures.table import (
    Counted,
    Each,
    OfPartitions,
    Row,
    Spread,
    Spreads,
    Table,
    samples,
)

SEVEN: Any = 7
"""Stands for a look at a node."""


def metrics(table, scrape):
    registry = Registry()
    registry.add_source(lambda: samples(table, scrape))
    return registry.collect()


def test_each_kind_of_row_is_read_in_its_way():
    table = Table(
        "g",
        "T",
        (
            Row("now", "", lambda s: SEVEN * 2),
            Row("ever", "", lambda s: SEVEN, only_grows=True),
            Each("each", ("topic",), "", lambda s: [(("a",), 1), (("b",), SEVEN)]),
            Spread("spread", "", lambda s: Histogram()),
            Spreads("spreads", ("group",), "", lambda s: [(("h",), Histogram())]),
            Counted("elsewhere", (), ""),
        ),
    )
    assert [(str(name), repr(metric)) for name, metric in metrics(table, SEVEN)] == [
        ("g:type=T,name=now", "Gauge(14)"),
        ("g:type=T,name=ever", "Meter(7)"),
        ("g:type=T,name=each,topic=a", "Gauge(1)"),
        ("g:type=T,name=each,topic=b", "Gauge(7)"),
        ("g:type=T,name=spread", "Histogram(0 values, half of them below 0)"),
        ("g:type=T,name=spreads,group=h", "Histogram(0 values, half of them below 0)"),
    ]


def test_rows_with_the_same_values_keep_the_names_of_their_own_tags():
    def read(look: Any) -> list[tuple[tuple[str, ...], float]]:
        return [(("a",), look)]

    rows = (Each("x", ("topic",), "", read), Each("y", ("group",), "", read))
    found = [str(name) for name, _ in metrics(Table("g", "T", rows), SEVEN)]
    assert found == ["g:type=T,name=x,topic=a", "g:type=T,name=y,group=a"]


def test_numbers_of_partitions_stand_beside_their_places():
    class Shown:
        places = (("t", "0"), ("t", "1"))

    look: Any = Shown()
    rows = (OfPartitions("size", "", lambda s: [5, 6]),)
    assert [(str(name), metric.value) for name, metric in metrics(Table("g", "T", rows), look)] == [
        ("g:type=T,name=size,topic=t,partition=0", 5),
        ("g:type=T,name=size,topic=t,partition=1", 6),
    ]
