"""Each small question is understood by a node, and its answer is judged by its error code."""

from __future__ import annotations

import asyncio

import pytest

from bench.versus.asking import Connection
from bench.versus.generators.coordinators import await_coordinators
from bench.versus.generators.one_at_a_time import Load
from bench.versus.generators.questions import QUESTIONS, group
from bench.versus.generators.serving import await_served
from moldau import testing

SECONDS = 0.05
CONNECTIONS = 3


def ask(port, name, topic):
    """All that was sampled, judged."""
    load = Load(port, QUESTIONS[name], topic, CONNECTIONS)
    load.run(SECONDS)
    load.close()
    assert len(load.sample) >= CONNECTIONS
    return {QUESTIONS[name].error_code(body) for body in load.sample}


def prepare(port):
    with Connection(port) as connection:
        connection.create_topic("there", 1, {})
    await_served(port, {"there": 1})
    await_coordinators(port, [group("there", number) for number in range(CONNECTIONS)])


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_about_a_topic_that_is_there_is_answered_without_error(name):
    async def conversation():
        async with testing.Node() as node:
            port = int(node.bootstrap.rpartition(":")[2])
            await asyncio.to_thread(prepare, port)
            return await asyncio.to_thread(ask, port, name, "there")

    assert asyncio.run(conversation()) == {0}


@pytest.mark.parametrize("name", ["produce", "commit"])
def test_a_refusal_is_seen(name):
    async def conversation():
        async with testing.Node(settings={"auto.create.topics.enable": "false"}) as node:
            port = int(node.bootstrap.rpartition(":")[2])
            return await asyncio.to_thread(ask, port, name, "nowhere")

    assert 0 not in asyncio.run(conversation())
