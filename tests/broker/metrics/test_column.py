"""Numbers for many things at once."""

from moldau.broker.metrics.column import Column
from moldau.broker.metrics.name import MetricName

SIZE = MetricName("kafka.log", "Log", "Size")
PLACES = (("a", "0"), ("b", "1"))


def test_each_number_is_a_metric_with_the_tags_of_its_place():
    column = Column(SIZE, ("topic", "partition"), PLACES, [7, 8.5])
    assert [(str(name), repr(metric)) for name, metric in column.metrics()] == [
        ("kafka.log:type=Log,name=Size,topic=a,partition=0", "Gauge(7)"),
        ("kafka.log:type=Log,name=Size,topic=b,partition=1", "Gauge(8.5)"),
    ]


def test_what_only_grows_is_a_meter():
    column = Column(SIZE, ("topic", "partition"), PLACES, [1, 2], only_grows=True)
    assert [repr(metric) for _, metric in column.metrics()] == ["Meter(1)", "Meter(2)"]
