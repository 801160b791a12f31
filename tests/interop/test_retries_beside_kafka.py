"""Interceptors and retry topics of our client, with Apache Kafka as the broker."""

from __future__ import annotations

from collections import Counter

import pytest

from moldau.client import Admin, Consumer, Producer, ProducerInterceptor, RetryTopics

pytestmark = [pytest.mark.judge, pytest.mark.long]

RECORDS = 500
ROUNDS_MAX = 500


class Marking(ProducerInterceptor):
    """Adds a header, and counts what arrives."""

    def __init__(self):
        self.arrived = 0

    def on_send(self, record):
        return record._replace(headers=(*record.headers, ("mark", b"1")))

    def on_acknowledgement(self, metadata, error):
        self.arrived += error is None


def charge(record):
    """Every tenth fails always."""
    if int(record.value) % 10 == 0:
        raise ValueError(record.value.decode())


@pytest.mark.parametrize("is_whole", [False, True], ids=["plain", "whole"])
def test_records_are_retried_and_end_among_the_dead_on_kafka(kafka_node, topic, is_whole):
    retries, marking = RetryTopics(topic, delays=(0, 0.2)), Marking()
    servers, total = kafka_node.bootstrap, Counter[str]()
    with Admin(servers) as admin:
        admin.create_topics([topic, *retries.new_topics(2, 1)]).all()
    with Producer(servers, interceptor_classes=[marking]) as producer:
        for number in range(RECORDS):
            producer.send(topic, b"%d" % number)
    assert marking.arrived == RECORDS
    given = {"group_id": topic, "auto_offset_reset": "earliest", "enable_auto_commit": False}
    sending = {"transactional_id": topic} if is_whole else {}
    consumer = Consumer(servers, isolation_level="read_committed", **given)
    with consumer, Producer(servers, **sending) as producer:
        consumer.subscribe(retries.topics)
        for _ in range(ROUNDS_MAX):
            total += Counter(retries.process(consumer, producer, charge)._asdict())
            if total["dead"] == RECORDS // 10:
                break
    assert total == Counter(done=RECORDS * 9 // 10, retried=RECORDS // 5, dead=RECORDS // 10)
