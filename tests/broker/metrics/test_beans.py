"""Names of MBeans, their patterns, and what a bean shows."""

from __future__ import annotations

import pytest

from moldau.broker.metrics.beans import (
    BadObjectName,
    Bean,
    BeanPattern,
    attributes_of,
    bean_of,
    value_of,
)
from moldau.broker.metrics.kinds import Gauge, Histogram, Meter
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.rates import Rates


@pytest.mark.parametrize(
    ("name", "bean", "attribute"),
    [
        (
            ("kafka.server", "BrokerTopicMetrics", "BytesInPerSec", (("topic", "t"),)),
            "kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec,topic=t",
            None,
        ),
        (
            ("kafka.server", "socket-server-metrics", "connection-count", (("listener", "L"),)),
            "kafka.server:type=socket-server-metrics,listener=L",
            "connection-count",
        ),
        (
            ("kafka.log", "LogCleanerManager", "max-dirty-percent", ()),
            "kafka.log:type=LogCleanerManager,name=max-dirty-percent",
            None,
        ),
        (
            ("kafka.server", "Fetch", "byte-rate", (("client-id", 'a:"b*'),)),
            'kafka.server:type=Fetch,client-id="a:\\"b\\*"',
            "byte-rate",
        ),
    ],
)
def test_a_metric_is_a_bean_or_an_attribute(name, bean, attribute):
    found = bean_of(MetricName(*name))
    assert (str(found[0]), found[1]) == (bean, attribute)
    assert BeanPattern.parse(bean).matches(found[0])
    assert BeanPattern.parse(found[0].canonical).matches(found[0])


BEAN = Bean("kafka.log", (("type", "Log"), ("name", "Size"), ("topic", "t[1]")))


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("kafka.log:name=Size,topic=t[1],type=Log", True),
        ("kafka.log:name=Size,type=Log", False),
        ("kafka.log:name=Size,type=Log,*", True),
        ("kafka.log:*", True),
        ("*:*,type=Log", True),
        ("kafka.*:type=L?g,*", True),
        ("kafka.log:type=Log,name=*,topic=t[*", True),
        ("kafka.log:type=Log,name=*,topic=t1", False),
        ("kafka.log:type=Log,partition=0,*", False),
        ("kafka.server:*", False),
    ],
)
def test_patterns_choose_as_jmx_does(pattern, matches):
    assert BeanPattern.parse(pattern).matches(BEAN) is matches


@pytest.mark.parametrize(
    ("pattern", "is_exact"),
    [("d:a=b", True), ("d:a=b,*", False), ("*:a=b", False), ("d:a=b?", False)],
)
def test_a_name_without_wildcards_is_exact(pattern, is_exact):
    assert BeanPattern.parse(pattern).is_exact is is_exact
    assert str(BeanPattern.parse(pattern)) == pattern


@pytest.mark.parametrize("text", ["", "kafka", "kafka:", "k:a", "k:=b", 'k:a="b', "k:*x"])
def test_what_is_no_object_name_is_refused(text):
    with pytest.raises(BadObjectName):
        BeanPattern.parse(text)


def test_what_beans_show():
    name, rates = MetricName("k", "T", "N"), Rates(0)
    histogram = Histogram(0.5)
    for value in (2, 4):
        histogram.record(value)
    shown = attributes_of(name, histogram, rates, 0)
    assert (shown["Count"], shown["Max"], shown["Mean"]) == (2, 2.0, 1.5)
    assert (shown["Min"], shown["StdDev"]) == (1.0, 0.5 * 2**0.5)
    assert (shown["50thPercentile"], shown["999thPercentile"]) == (1.0, 2.0)
    assert repr(attributes_of(name, Gauge(lambda: 7), rates, 0)) == "{'Value': 7}"
    assert repr(attributes_of(name, Gauge(lambda: 7.5), rates, 0)) == "{'Value': 7.5}"
    share = MetricName("kafka.server", "KafkaRequestHandlerPool", "RequestHandlerAvgIdlePercent")
    assert attributes_of(share, Gauge(lambda: 0.5), rates, 0)["OneMinuteRate"] == 0.5
    controller = share._replace(name="ControllerRequestHandlerAvgIdlePercent")
    assert attributes_of(controller, Gauge(lambda: 0.5), rates, 0)["OneMinuteRate"] == 0.5
    assert attributes_of(name, Meter(8), rates, 4_000_000_000)["MeanRate"] == 2
    assert attributes_of(name, Meter(8), rates, 0)["Count"] == 8


def test_a_count_that_is_a_gauge_in_kafka_has_a_value():
    rates = Rates(0)
    gauge = MetricName("kafka.controller", "KafkaController", "NewActiveControllersCount")
    meter = MetricName("kafka.server", "BrokerTopicMetrics", "BytesInPerSec")
    assert attributes_of(gauge, Meter(8), rates, 0)["Value"] == 8
    assert "Value" not in attributes_of(meter, Meter(8), rates, 0)


def test_attributes_have_one_number():
    histogram = Histogram()
    histogram.record(3)
    assert [value_of(metric) for metric in (Meter(2), Gauge(lambda: 1.5), histogram)] == [2, 1.5, 3]
