"""Requests of Jolokia's protocol and their answers."""

from __future__ import annotations

import json
from math import nan

import pytest

from moldau.broker.metrics.registry import Registry
from moldau.broker.server.monitoring.jolokia import REQUESTS_MAX, Jolokia
from moldau.platform.simulated import tasks as simulated_tasks

METER = "kafka.server:name=MessagesInPerSec,type=BrokerTopicMetrics"


class SteppedClock:
    """Ten seconds later at each look."""

    def __init__(self):
        self.seconds = 0

    def now_ms(self):
        return 1_700_000_000_999

    def monotonic_ns(self):
        self.seconds += 10
        return self.seconds * 1_000_000_000


def answers(*requests):
    """Of a small registry to each path, or body where it is no text."""

    async def main(tasks):
        registry = Registry()
        registry.meter("kafka.server", "BrokerTopicMetrics", "MessagesInPerSec").mark(50)
        for topic in ("a", "b"):
            registry.gauge(lambda: 9, "kafka.log", "Log", "Size", topic=topic, partition="0")
        registry.gauge(lambda: nan, "kafka.server", "raft-metrics", "commit-latency-avg")
        registry.gauge(lambda: 4, "kafka.server", "raft-metrics", "current-epoch")
        jolokia = Jolokia(registry, tasks, SteppedClock(), 0)
        found = []
        for request in requests:
            if isinstance(request, str):
                found.append(json.loads(await jolokia.answer_get(request)))
            else:
                found.append(json.loads(await jolokia.answer_post(request)))
        return found

    return simulated_tasks.run(main)


def test_an_attribute_is_read_by_a_path():
    (answer,) = answers(f"/read/{METER}/Count")
    assert answer == {
        "request": {"type": "read", "mbean": METER, "attribute": "Count"},
        "value": 50,
        "status": 200,
        "timestamp": 1_700_000_000,
    }


def test_a_bean_is_read_whole_in_whatever_order_its_properties_come():
    (answer,) = answers("/read/kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec")
    assert (answer["value"]["Count"], answer["value"]["OneMinuteRate"]) == (50, 5.0)


def test_a_pattern_reads_several_and_only_what_is_wanted():
    (answer,) = answers("/read/kafka.log:type=Log,*/Value")
    assert answer["value"] == {
        f"kafka.log:name=Size,partition=0,topic={topic},type=Log": {"Value": 9} for topic in "ab"
    }
    (answer,) = answers("/read/kafka.*:*/Count,Value")
    assert answer["value"][METER] == {"Count": 50}


def test_names_come_in_the_order_of_kafka_where_that_is_wanted():
    body = {"mbean": "kafka.log:*", "config": {"canonicalNaming": False}}
    found = answers(*(json.dumps({**body, "type": kind}).encode() for kind in ("read", "search")))
    names = [f"kafka.log:type=Log,name=Size,topic={topic},partition=0" for topic in "ab"]
    assert [sorted(answer["value"]) for answer in found] == [names, names]


def test_attributes_of_one_bean_and_no_number_as_null():
    (answer,) = answers("/read/kafka.server:type=raft-metrics")
    assert answer["value"] == {"commit-latency-avg": None, "current-epoch": 4}


def test_slashes_in_names_are_escaped():
    (answer,) = answers("/read/kafka.log:type=!/x!!/Value")
    assert answer["request"]["mbean"] == "kafka.log:type=/x!"


def test_bodies_hold_one_request_or_several():
    one = {"type": "read", "mbean": METER, "attribute": ["Count", "EventType"]}
    (single, several) = answers(json.dumps(one).encode(), json.dumps([one, {"type": "x"}]).encode())
    assert single["value"] == {"Count": 50, "EventType": "events"}
    assert [answer["status"] for answer in several] == [200, 403]


def test_what_there_is_is_searched_and_listed():
    search, listed, version = answers("/search/kafka.log:*", "/list", "")
    assert search["value"] == [
        f"kafka.log:name=Size,partition=0,topic={topic},type=Log" for topic in "ab"
    ]
    described = listed["value"]["kafka.server"]["type=raft-metrics"]["attr"]
    assert described["current-epoch"] == {"type": "long", "desc": "", "rw": False}
    assert version["value"]["protocol"]


@pytest.mark.parametrize(
    ("request_", "status", "error_type"),
    [
        ("/read/kafka.server:type=Nothing", 404, "javax.management.InstanceNotFoundException"),
        (f"/read/{METER}/Nope", 404, "javax.management.AttributeNotFoundException"),
        ("/read", 400, "java.lang.IllegalArgumentException"),
        ("/read/nothing", 400, "javax.management.MalformedObjectNameException"),
        ("/write/x/Value/1", 403, "java.lang.SecurityException"),
        ("/exec/x/stop", 403, "java.lang.SecurityException"),
        (b"{", 400, "java.lang.IllegalArgumentException"),
        (b"7", 400, "java.lang.IllegalArgumentException"),
        (b"[" * 60_000, 400, "java.lang.IllegalArgumentException"),
        (
            json.dumps([{}] * (REQUESTS_MAX + 1)).encode(),
            400,
            "java.lang.IllegalArgumentException",
        ),
    ],
)
def test_what_cannot_be_answered_has_a_status_and_a_reason(request_, status, error_type):
    (answer,) = answers(request_)
    assert (answer["status"], answer["error_type"]) == (status, error_type)
    assert answer["error"].startswith(error_type + " : ")
