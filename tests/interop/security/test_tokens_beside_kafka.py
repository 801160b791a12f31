"""Judge: delegation tokens are made, renewed, ended and shown as by Apache Kafka.

Three principals ask both nodes for the same, drawn from the seed. Ids and secrets differ from node
to node, so a token is named by the question that made it; times are compared in hours from now.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.security.create_acls import CreateAclsRequest
from moldau.protocol.messages.security.create_delegation_token import CreateDelegationTokenRequest
from moldau.protocol.messages.security.describe_delegation_token import (
    DescribeDelegationTokenRequest,
)
from moldau.protocol.messages.security.expire_delegation_token import ExpireDelegationTokenRequest
from moldau.protocol.messages.security.renew_delegation_token import RenewDelegationTokenRequest
from tests.interop.security.named_side import NamedSide
from tests.judges.logins import ADMIN, ADMIN_PASSWORD, LISTENER, PLAIN_MODULE, node_settings

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]

USERS = {ADMIN: ADMIN_PASSWORD, "alice": "one", "bob": "two", "carol": "three"}
ACCOUNTS = " ".join(f'user_{name}="{password}"' for name, password in USERS.items())
SETTINGS = {
    **node_settings(
        authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        super_users=f"User:{ADMIN};User:ANONYMOUS",
    ),
    f"{LISTENER}plain.sasl.jaas.config": (
        f'{PLAIN_MODULE} required username="{ADMIN}" password="{ADMIN_PASSWORD}" {ACCOUNTS};'
    ),
}
HOUR_MS = 3_600_000
PERIODS_MS = (-1, 0, HOUR_MS, 30 * HOUR_MS, 400 * HOUR_MS, 2**62)
QUESTIONS, QUESTIONS_LONG = 150, 3_000
POLL_S, WAIT_S = 0.02, 20


EVERY_TOKEN = DescribeDelegationTokenRequest(owners=None)


class TokenClient:
    """One node, and the tokens that it has made."""

    def __init__(self, name: str, port: int) -> None:
        self.sides = {
            user: NamedSide(name, port, user=user, password=password)
            for user, password in USERS.items()
        }
        self.hmacs: list[bytes] = []
        self.names: dict[str, int] = {}

    def ask(self, user: str, request: Any, version: int) -> Any:
        return self.sides[user].ask(request, version)

    def create(self, user: str, request: CreateDelegationTokenRequest, version: int) -> Any:
        answer = self.ask(user, request, version)
        self.hmacs.append(answer.hmac)
        if answer.token_id:
            self.names[answer.token_id] = len(self.hmacs)
            self.wait_for(answer.hmac, answer.expiry_timestamp_ms)
        times = (answer.issue_timestamp_ms, answer.expiry_timestamp_ms, answer.max_timestamp_ms)
        return (
            answer.error_code,
            (answer.principal_type, answer.principal_name),
            (answer.token_requester_principal_type, answer.token_requester_principal_name),
            [hours_from_now(at) for at in times],
            len(answer.hmac),
        )

    def wait_for(self, hmac: bytes, expires_at_ms: int | None) -> None:
        """What the controller has decided is known to the broker a moment later."""
        deadline = time.monotonic() + WAIT_S
        while self.expiry_of(hmac) != expires_at_ms:
            assert time.monotonic() < deadline
            time.sleep(POLL_S)

    def expiry_of(self, hmac: bytes) -> int | None:
        tokens = self.ask(ADMIN, EVERY_TOKEN, 3).tokens
        return next((token.expiry_timestamp for token in tokens if token.hmac == hmac), None)

    def renew(self, user: str, number: int, period_ms: int, version: int) -> Any:
        request = RenewDelegationTokenRequest(hmac=self.secret(number), renew_period_ms=period_ms)
        answer = self.ask(user, request, version)
        if not answer.error_code:
            self.wait_for(request.hmac, answer.expiry_timestamp_ms)
        return answer.error_code, hours_from_now(answer.expiry_timestamp_ms)

    def expire(self, user: str, number: int, period_ms: int, version: int) -> Any:
        request = ExpireDelegationTokenRequest(
            hmac=self.secret(number), expiry_time_period_ms=period_ms
        )
        answer = self.ask(user, request, version)
        if not answer.error_code:
            ended = period_ms < 0
            self.wait_for(request.hmac, None if ended else answer.expiry_timestamp_ms)
        return answer.error_code, hours_from_now(answer.expiry_timestamp_ms)

    def secret(self, number: int) -> bytes:
        return self.hmacs[number] if number < len(self.hmacs) else b"of nothing"

    def describe(self, user: str, request: DescribeDelegationTokenRequest, version: int) -> Any:
        answer = self.ask(user, request, version)
        return answer.error_code, sorted(self.described(token) for token in answer.tokens)

    def described(self, token: Any) -> Any:
        number = self.names[token.token_id]
        times = (token.issue_timestamp, token.expiry_timestamp, token.max_timestamp)
        return (
            number,
            token.hmac == self.hmacs[number - 1],
            (token.principal_type, token.principal_name),
            (token.token_requester_principal_type, token.token_requester_principal_name),
            [hours_from_now(at) for at in times],
            sorted((one.principal_type, one.principal_name) for one in token.renewers),
        )

    def close(self) -> None:
        for side in self.sides.values():
            side.close()


def hours_from_now(at_ms: int) -> int | str:
    """Rounded; small numbers mean that there is no time."""
    if at_ms <= 0:
        return f"none ({at_ms})"
    return round((at_ms - time.time() * 1000) / HOUR_MS)


def rules() -> CreateAclsRequest:
    """Alice may make tokens for bob and see those of carol."""
    creation = CreateAclsRequest.AclCreation
    return CreateAclsRequest(
        creations=[
            creation(
                resource_type=Resource.USER,
                resource_name=name,
                resource_pattern_type=3,
                principal="User:alice",
                host="*",
                operation=operation,
                permission_type=3,
            )
            for name, operation in (
                ("User:bob", Operation.CREATE_TOKENS),
                ("User:carol", Operation.DESCRIBE_TOKENS),
            )
        ]
    )


@pytest.fixture(scope="module")
def nodes(new_kafka_node, new_moldau_node):
    clients = []
    for name, node in (("ours", new_moldau_node(SETTINGS)), ("kafka", new_kafka_node(SETTINGS))):
        node.start()
        clients.append(TokenClient(name, node.client_port))
        clients[-1].ask(ADMIN, rules(), 3)
    yield clients
    for client in clients:
        client.close()


def principals(random: SeededRandom, kind: Any) -> list[Any]:
    names = [random.choice(tuple(USERS)) for _ in range(random.randrange(0, 3))]
    types = ("User",) * 9 + ("Group",)
    return [kind(principal_type=random.choice(types), principal_name=name) for name in set(names)]


def creation(random: SeededRandom) -> CreateDelegationTokenRequest:
    owner = random.choice(("", "", *USERS))
    return CreateDelegationTokenRequest(
        owner_principal_type=owner and "User",
        owner_principal_name=owner,
        renewers=principals(random, CreateDelegationTokenRequest.CreatableRenewers),
        max_lifetime_ms=random.choice(PERIODS_MS),
    )


def question(random: SeededRandom, count: int) -> tuple[str, tuple[Any, ...]]:
    user = random.choice(tuple(USERS))
    match random.randrange(0, 5):
        case 0:
            request = creation(random)
            version = 3 if request.owner_principal_name else random.randrange(1, 4)
            return "create", (user, request, version)
        case 1:
            owner = DescribeDelegationTokenRequest.DescribeDelegationTokenOwner
            owners = None if random.random() < 0.3 else principals(random, owner)
            request_of_all = DescribeDelegationTokenRequest(owners=owners)
            return "describe", (user, request_of_all, random.randrange(1, 4))
        case kind:
            name = "expire" if kind == 2 else "renew"
            number, period_ms = random.randrange(0, count + 2), random.choice(PERIODS_MS)
            return name, (user, number, period_ms, random.randrange(1, 3))


def test_tokens_live_as_long_and_are_shown_to_the_same(nodes, seed, volume):
    random = SeededRandom(seed)
    ours, theirs = nodes
    for _ in range(volume(QUESTIONS, QUESTIONS_LONG)):
        name, values = question(random, len(ours.hmacs))
        answers = [getattr(client, name)(*values) for client in nodes]
        assert answers[0] == answers[1], (name, values)
    assert len(ours.names) == len(theirs.names) > 3
