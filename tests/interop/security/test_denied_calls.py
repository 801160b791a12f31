"""Judge: who may do nothing calls every API, and Kafka and Moldau deny it with the same answer.

Every version of every API that a listener serves is asked for, on the brokers' listener and on the
controllers': also what the other comparisons leave out, since it changes the cluster or waits. A
call that is denied does neither.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.index import APIS
from moldau.protocol.wire.schema import Request
from tests.interop.differential.requests import random_request
from tests.interop.differential.running import Outcome, exchange
from tests.interop.differential.side import ClosedError
from tests.interop.differential.values import BY_API, Draw, one_of
from tests.interop.differential.world import prepare
from tests.interop.security.named_side import NamedSide
from tests.judges.logins import (
    ADMIN,
    ADMIN_PASSWORD,
    ALICE,
    ALICE_PASSWORD,
    PLAIN_MODULE,
    node_settings,
)

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]

SETTINGS = {
    **node_settings(
        authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        super_users=f"User:{ADMIN}",
        sasl_mechanism_controller_protocol="PLAIN",
    ),
    "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
    "listener.name.controller.sasl.enabled.mechanisms": "PLAIN",
    "listener.name.controller.plain.sasl.jaas.config": (
        f'{PLAIN_MODULE} required username="{ADMIN}" password="{ADMIN_PASSWORD}" '
        f'user_{ADMIN}="{ADMIN_PASSWORD}" user_{ALICE}="{ALICE_PASSWORD}";'
    ),
}
WITHOUT_RIGHTS = frozenset(
    {"SaslHandshake", "SaslAuthenticate", "GetTelemetrySubscriptions", "PushTelemetry"}
)
"""Who has no rights may call them."""
PORTS = {"port": one_of(1, 9092)}
TYPES, PATTERNS, OPERATIONS, PERMISSIONS = (2, 3, 4), (3, 4), (2, 3, 7), (2, 3)
MEANT: dict[str, dict[str, Draw]] = {
    "CreateAcls": {
        "resource_type": one_of(*TYPES),
        "resource_pattern_type": one_of(*PATTERNS),
        "operation": one_of(*OPERATIONS),
        "permission_type": one_of(*PERMISSIONS),
    },
    "DeleteAcls": {
        "resource_type_filter": one_of(1, *TYPES),
        "pattern_type_filter": one_of(1, 2, *PATTERNS),
        "operation": one_of(1, *OPERATIONS),
        "permission_type": one_of(1, *PERMISSIONS),
    },
    "CreateDelegationToken": {
        "owner_principal_type": one_of("User", "Group"),
        "owner_principal_name": one_of("bob"),
    },
    "WriteTxnMarkers": {
        "partition_indexes": one_of([0], [0, 1]),
        "producer_id": lambda random: random.randrange(0, 1 << 40),
    },
}
"""Kinds that exist, since to others Kafka closes the connection; and tokens of others."""
SINCE = {"CreateDelegationToken": 3}
"""The version from which on a call can be denied: older ones are for one's own tokens."""
FAILING = frozenset({"DescribeDelegationToken", "DescribeUserScramCredentials"})
"""Kafka's controllers offer them and fail inside (-1); ours deny them, or answer."""
POLL_S, WAIT_S = 0.1, 60
DRAWS, DRAWS_LONG = 1, 20


@pytest.fixture(scope="module")
def nodes(new_kafka_node, new_moldau_node):
    both = [new_moldau_node(SETTINGS), new_kafka_node(SETTINGS)]
    for node in both:
        node.start()
        for port in (node.client_port, node.controller_port):
            wait_for(NamedSide("starting", port))
    return both


def wait_for(side: NamedSide) -> None:
    """Kafka closes connections of its listeners for a moment after it accepts the first."""
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            side.ask(ApiVersionsRequest(), 0)
        except ClosedError:
            assert time.monotonic() < deadline
            time.sleep(POLL_S)
        else:
            side.close()
            return


def as_alice(node: Any, name: str, listener: str, ids: dict[str, Any]) -> NamedSide:
    port = node.client_port if listener == "broker" else node.controller_port
    return NamedSide(name, port, ids, user=ALICE, password=ALICE_PASSWORD)


def calls(random: SeededRandom, listener: str, draws: int) -> Iterator[tuple[Request, int]]:
    for api in APIS:
        left_out = WITHOUT_RIGHTS | (FAILING if listener == "controller" else frozenset())
        if listener not in api.request.LISTENERS or api.name in left_out:
            continue
        special = {**PORTS, **BY_API.get(api.name, {}), **MEANT.get(api.name, {})}
        for version in api.request.VERSIONS.each():
            if version < SINCE.get(api.name, 0):
                continue
            for _ in range(draws):
                yield random_request(random, api.request, version, special), version


@pytest.mark.parametrize("listener", ["broker", "controller"])
def test_every_call_is_denied_with_the_same_answer(nodes, listener, seed, volume):
    outcome, random = Outcome(), SeededRandom(seed)
    sides = []
    for name, node in zip(("ours", "kafka"), nodes, strict=True):
        admin = NamedSide(name, node.client_port)
        if listener == "broker":
            prepare(admin)
        sides.append(as_alice(node, name, listener, admin.ids))
        admin.close()
    for request, version in calls(random, listener, volume(DRAWS, DRAWS_LONG)):
        exchange(sides[0], sides[1], request, version, outcome)
    for side in sides:
        side.close()
    assert not outcome.kinds, outcome.report()
