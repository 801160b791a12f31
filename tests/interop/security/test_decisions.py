"""Judge: with access rules in force, Kafka and Moldau answer the same to the same principal.

Both nodes have the same topics, groups and users. A user who may do nothing asks every API in every
version; then rules are drawn from the seed, created on both, and it asks again. Where an answer
hides that a thing exists, and with which code, is compared with all the rest of it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.index import APIS
from moldau.protocol.messages.security.create_acls import CreateAclsRequest
from moldau.protocol.messages.security.delete_acls import DeleteAclsRequest
from moldau.protocol.messages.security.sasl_authenticate import SaslAuthenticateRequest
from moldau.protocol.messages.security.sasl_handshake import SaslHandshakeRequest
from moldau.protocol.wire.schema import Message, Request
from tests.interop.differential.running import Outcome, exchange, questions
from tests.interop.differential.side import Side
from tests.interop.differential.values import GROUPS, TOPICS
from tests.interop.differential.world import prepare
from tests.judges.logins import ADMIN, ADMIN_PASSWORD, ALICE, ALICE_PASSWORD, node_settings

pytestmark = [pytest.mark.judge, pytest.mark.timeout(3600)]

SETTINGS = node_settings(
    authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    super_users=f"User:{ADMIN};User:ANONYMOUS",
    log_retention_ms="-1",
    offsets_retention_check_interval_ms="86400000",
    transaction_abort_timed_out_transaction_cleanup_interval_ms="86400000",
)
QUESTIONS = 600
QUESTIONS_LONG = 20_000
ROUNDS = 4
RULES = 12
SETTLE_S = 0.3
LITERAL, PREFIXED = 3, 4
DENY, ALLOW = 2, 3
BY_KEY = {api.key: api for api in APIS}


@dataclass
class NamedSide(Side):
    """Logs in as somebody on each of its connections."""

    user: str = ADMIN
    password: str = ADMIN_PASSWORD

    def _exchange(self, api: Any, request: Request, version: int) -> Message:
        if self._socket is None:
            handshake = SaslHandshakeRequest(mechanism="PLAIN")
            assert not self._begin(handshake, 1).error_code  # type: ignore[attr-defined]
            token = f"\0{self.user}\0{self.password}".encode()
            answer = self._begin(SaslAuthenticateRequest(auth_bytes=token), 2)
            assert not answer.error_code  # type: ignore[attr-defined]
        return super()._exchange(api, request, version)

    def _begin(self, request: Request, version: int) -> Message:
        return super()._exchange(BY_KEY[request.KEY], request, version)


@pytest.fixture(scope="module")
def nodes(new_kafka_node, new_moldau_node):
    """Each as the administrator sees it, with the same in it."""
    sides = []
    for name, node in (("ours", new_moldau_node(SETTINGS)), ("kafka", new_kafka_node(SETTINGS))):
        node.start()
        sides.append(NamedSide(name, node.client_port))
        prepare(sides[-1])
    yield sides
    for side in sides:
        side.close()


def as_alice(side: NamedSide) -> NamedSide:
    return NamedSide(side.name, side.port, side.ids, user=ALICE, password=ALICE_PASSWORD)


def ask(nodes: list[NamedSide], random: SeededRandom, count: int, outcome: Outcome) -> None:
    ours, theirs = (as_alice(node) for node in nodes)
    for request, version in questions(random, count):
        exchange(ours, theirs, request, version, outcome)
    ours.close()
    theirs.close()


def drawn(random: SeededRandom) -> CreateAclsRequest:
    """Rules for alice, and for everybody."""

    def one_of(values: Any) -> Any:
        return values[random.randrange(0, len(values))]

    creations = []
    for _ in range(RULES):
        kind = one_of(list(Resource)[1:])
        names = {
            Resource.TOPIC: [*TOPICS, "p", "m", "*", "nowhere"],
            Resource.GROUP: [*GROUPS, "r", "*"],
            Resource.CLUSTER: ["kafka-cluster"],
        }.get(kind, ["somebody", "s", "*"])
        creations.append(
            CreateAclsRequest.AclCreation(
                resource_type=kind,
                resource_name=one_of(names),
                resource_pattern_type=LITERAL if kind == Resource.CLUSTER else one_of((3, 4)),
                principal=one_of((f"User:{ALICE}", "User:*", "User:bob")),
                host=one_of(("*", "127.0.0.1", "127.0.0.2")),
                operation=one_of([*list(Operation)[1:], Operation.ALL]),
                permission_type=one_of((DENY, ALLOW, ALLOW, ALLOW)),
            )
        )
    return CreateAclsRequest(creations=creations)


def everything() -> DeleteAclsRequest:
    return DeleteAclsRequest(
        filters=[
            DeleteAclsRequest.DeleteAclsFilter(
                resource_type_filter=1,
                resource_name_filter=None,
                pattern_type_filter=1,
                principal_filter=None,
                host_filter=None,
                operation=1,
                permission_type=1,
            )
        ]
    )


def test_who_may_do_nothing_gets_the_same_answers(nodes, seed, volume):
    outcome = Outcome()
    ask(nodes, SeededRandom(seed), volume(QUESTIONS, QUESTIONS_LONG), outcome)
    assert not outcome.kinds, outcome.report()


def test_whatever_the_rules_are_the_answers_are_the_same(nodes, seed, volume):
    outcome, random = Outcome(), SeededRandom(seed)
    ours, theirs = nodes
    for _ in range(ROUNDS):
        exchange(ours, theirs, drawn(random), 3, outcome)
        time.sleep(SETTLE_S)
        ask(nodes, random, volume(QUESTIONS, QUESTIONS_LONG) // ROUNDS, outcome)
        exchange(ours, theirs, everything(), 3, outcome)
        time.sleep(SETTLE_S)
    assert not outcome.kinds, outcome.report()
