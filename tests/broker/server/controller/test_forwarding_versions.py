"""Judge: what a client may ask any broker can reach the controller, and its answer the client.

A broker takes a request apart, asks the controller for what the client may have, and adds to the
answer. Between two nodes both are bytes, in the version in which the client asked: neither may have
what that version cannot hold. Where the broker leads the quorum itself nothing is encoded, so one
node alone does not show it.
"""

from __future__ import annotations

import asyncio
from inspect import isawaitable
from typing import Any

import pytest

from moldau.broker.runtime.envelopes import open_answer, seal
from moldau.broker.server.apis import BROKER, handler_of, versions_of
from moldau.broker.server.call import Call
from moldau.broker.server.controller import envelope
from moldau.broker.server.controller.envelope import PASSED_ON
from moldau.errors import KafkaError
from moldau.network.principal import Principal
from moldau.platform.ports.network import Address
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.wire.compile import decode, encode
from tests.broker.server.asking import broker_with, call_of
from tests.protocol.messages.random_messages import (
    DEFAULTS,
    FULL,
    MIXED,
    Pair,
    Style,
    random_message,
)

ALICE = Principal("User", "alice")
HERE = Address("127.0.0.1", 4711)
TOPIC, SET = 2, 0
WAIT_MS = 700
STYLES = (DEFAULTS, FULL, *[MIXED] * 6)
MORE_DRAWS = 100


class Deciding:
    """The active controller, and the quorum's leader: any answer that the version can hold."""

    def __init__(self, random: SeededRandom, style: Style) -> None:
        self.image = broker_with().metadata.image
        self.leader_id = 1
        self._random, self._style = random, style

    async def ask(self, request: Any, call: Any) -> Any:
        pair = Pair(BY_KEY[request.KEY].response, call.version)
        return through_bytes(random_message(self._random, pair, self._style), call.version)

    answer = ask


class Elsewhere:
    """The way of a broker to a controller on another node, without the network."""

    def __init__(self, controller: Any) -> None:
        self.image = broker_with().metadata.image
        self.leader_id = 1
        self.passed = 0
        self._controller = controller

    async def ask(self, request: Any, call: Any) -> Any:
        self.passed += 1
        sealed = through_bytes(seal(request, call, call.sender), 0)
        outer = call_of(sealed, 0, "CONTROLLER")
        answer = through_bytes(await envelope.handle(outer, self._controller), 0)
        return open_answer(answer, request, call.version)

    answer = ask


def through_bytes(message: Any, version: int) -> Any:
    return decode(type(message), version, bytes(encode(message, version)))


def broker_at(metadata: Any) -> Any:
    """One that refuses nothing."""
    protocols = {"PLAINTEXT": "SASL_PLAINTEXT"}
    broker = broker_with(authorizer_class_name="all", protocols=protocols)
    broker.metadata = metadata
    broker.quotas = None
    return broker


def give_sense(request: Any) -> None:
    """What is drawn by chance is mostly refused before the controller is asked."""
    if hasattr(request, "timeout_ms"):
        request.timeout_ms = 1000
    if request.KEY in (ApiKey.ALTER_CONFIGS, ApiKey.INCREMENTAL_ALTER_CONFIGS):
        for resource in request.resources:
            resource.resource_type = TOPIC
            for index, config in enumerate(resource.configs):
                config.name, config.value = f"setting-{index}", "value"
                if request.KEY == ApiKey.INCREMENTAL_ALTER_CONFIGS:
                    config.config_operation = SET


async def asked(api_key: int, version: int, random: SeededRandom, style: Style) -> int:
    """How often the controller was asked, when the answer has reached the client."""
    controller = broker_at(Deciding(random, style))
    broker = broker_at(Elsewhere(controller))
    request = random_message(random, Pair(BY_KEY[api_key].request, version), style)
    give_sense(request)
    request = through_bytes(request, version)
    call = Call(api_key, version, 7, "a client", request, ALICE, "PLAINTEXT", HERE, 1, 0)
    try:
        answer = handler_of(api_key, BROKER[api_key])(call, broker)
        answer = await answer if isawaitable(answer) else answer
        encode(answer, version)
    except KafkaError:
        return 0
    passed: int = broker.metadata.passed
    return passed


@pytest.mark.parametrize("api_key", sorted(PASSED_ON), ids=lambda key: ApiKey(key).name)
def test_a_request_and_its_answer_pass_between_two_nodes_in_every_version(api_key, seed):
    random = SeededRandom(seed)
    for version in versions_of(api_key):
        passed = [asyncio.run(asked(api_key, version, random, style)) for style in STYLES]
        more = (asyncio.run(asked(api_key, version, random, MIXED)) for _ in range(MORE_DRAWS))
        assert any(passed) or any(more), f"version {version} was never passed on"


class Counting:
    """Quotas of the controller's node, under which every change of partitions has to wait."""

    are_set = True

    def mutated(self, call: Any, count: int, *, is_strict: bool) -> None:
        call.throttle_ms = WAIT_MS


class Charging(Deciding):
    """A controller that counts what it decides."""

    async def ask(self, request: Any, call: Any) -> Any:
        call.charge(1)
        return await super().ask(request, call)


@pytest.mark.parametrize("version", [2, 7])
def test_who_has_to_wait_by_the_controllers_quotas_waits_where_it_asked(version, seed):
    controller = broker_at(Charging(SeededRandom(seed), DEFAULTS))
    controller.quotas = Counting()
    topic = CreateTopicsRequest.CreatableTopic(
        name="t", num_partitions=1, replication_factor=1, assignments=[], configs=[]
    )
    request = CreateTopicsRequest(topics=[topic], timeout_ms=1000)
    call = Call(request.KEY, version, 7, "a client", request, ALICE, "PLAINTEXT", HERE, 1, 0)
    asyncio.run(
        handler_of(request.KEY, BROKER[request.KEY])(call, broker_at(Elsewhere(controller)))
    )
    assert call.throttle_ms == WAIT_MS
