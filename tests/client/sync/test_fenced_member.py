"""A static member whose name another one has taken over."""

from __future__ import annotations

from typing import NoReturn

import pytest

from moldau.client import FencedError
from moldau.client.admin import Admin
from moldau.client.sync.consumer import Consumer
from moldau.client.sync.producer import Producer
from tests.client.around import Around

LONG_S = 30.0
STATIC = {"group_instance_id": "one", "auto_offset_reset": "earliest"}


def read_on(consumer: Consumer) -> NoReturn:
    while True:
        consumer.poll()


def test_it_commits_nothing_any_more(around: Around, topic: str, caplog):
    server, given = around.bootstrap, {**STATIC, "group_id": topic}
    with Producer(server) as producer:
        for number in range(3):
            producer.send(topic, b"%d" % number, partition=0).result(LONG_S)
    with Consumer(server, **given) as first:
        first.subscribe(topic)
        while not first.consume(2):
            pass
        with Consumer(server, **given) as second:
            second.subscribe(topic)
            while not second.poll():
                pass
            second.commit()
        with pytest.raises(FencedError):
            read_on(first)
        with pytest.raises(FencedError):
            first.commit()
        with pytest.raises(FencedError):
            first.commit_async()
    assert caplog.records == []
    with Admin(server) as admin:
        (kept,) = admin.list_consumer_group_offsets(topic).all()[topic].values()
    assert kept is not None
    assert kept.offset == 3


def test_it_does_not_take_the_name_back_by_subscribing_again(around: Around, topic: str):
    server, given = around.bootstrap, {**STATIC, "group_id": topic}
    with Producer(server) as producer:
        producer.send(topic, b"x").result(LONG_S)
    with Consumer(server, **given) as first, Consumer(server, **given) as second:
        first.subscribe(topic)
        while not first.poll():
            pass
        second.subscribe(topic)
        while not second.assignment():
            second.poll(0.1)
        with pytest.raises(FencedError):
            read_on(first)
        with pytest.raises(FencedError):
            first.subscribe(topic)
