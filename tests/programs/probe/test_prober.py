"""Records that are sent, read and timed on a node that runs."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from moldau.client import AsyncProducer, ConsumerRecord
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.tasks import run
from moldau.programs.probe.prober import Prober, ProbeSettings, _Sent
from tests.interop.running_node import running_node


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    with running_node(tmp_path_factory.mktemp("probed")) as bootstrap:
        yield bootstrap


async def until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


def test_what_is_sent_comes_back_and_is_timed(node):
    settings = ProbeSettings(client={"bootstrap.servers": node}, interval_ms=50)

    async def main(tasks):
        prober = Prober(settings, tasks, SystemClock(), "mine")
        task = tasks.spawn("probe", prober.run())
        async with AsyncProducer(node) as other:
            await until(lambda: prober.figures.received >= 3)
            for value in (b"", b"[]", b'{"probe": "other", "number": 1}'):
                await other.send_and_wait(settings.topic, value)
        await until(lambda: prober.figures.received >= 6 and prober.figures.commit)
        prober.stop()
        await until(lambda: task.done())
        return prober.figures

    figures = run(main)
    assert figures.lost == figures.failed == 0
    assert figures.received <= figures.produced
    (roundtrip,), (produce,) = figures.roundtrip.values(), figures.produce.values()
    assert roundtrip.count == figures.received
    assert produce.count == figures.produced
    assert produce.total_s / produce.count > 0


def test_a_cluster_that_is_away_is_tried_again(caplog):
    client = {
        "bootstrap.servers": "127.0.0.1:1",
        "default.api.timeout.ms": "100",
        "request.timeout.ms": "50",
    }

    async def main(tasks):
        prober = Prober(ProbeSettings(client=client), tasks, SystemClock(), "mine")
        task = tasks.spawn("probe", prober.run())
        await until(lambda: caplog.records)
        prober.stop()
        await until(lambda: task.done())

    run(main)
    assert "The cluster cannot be probed" in caplog.text


NO_TASKS: Any = None


class SetClock:
    def __init__(self):
        self.ns = 0

    def now_ms(self):
        return 0

    def monotonic_ns(self):
        return self.ns


def record(number, run_id="mine"):
    value = json.dumps({"probe": run_id, "number": number}).encode()
    return ConsumerRecord("t", 0, 5, 0, None, value, ())


def test_what_is_not_read_in_time_is_lost_until_it_comes():
    clock = SetClock()
    prober = Prober(ProbeSettings(client={}, limit_ms=10), NO_TASKS, clock, "mine")
    prober._open = {1: _Sent(0, 0, is_acknowledged=True), 2: _Sent(0, 0)}
    clock.ns = 11_000_000
    prober._give_up()
    prober._give_up()
    assert prober.figures.lost == 1, "the second was never acknowledged"
    assert not prober._received(record(1, "other"))
    assert prober._received(record(1))
    assert not prober._received(record(1)), "it was read before"
    assert (prober.figures.lost, prober.figures.received) == (0, 1)
    assert prober.figures.roundtrip[0].last_s == pytest.approx(0.011)


def test_what_was_lost_long_ago_is_forgotten():
    clock = SetClock()
    prober = Prober(ProbeSettings(client={}, limit_ms=10), NO_TASKS, clock, "mine")
    prober._open = {1: _Sent(0, 0, is_acknowledged=True)}
    for clock.ns in (11_000_000, 700_000_000):
        prober._give_up()
    assert (prober._open, prober.figures.lost) == ({}, 1)
