"""Tokens are for those who have logged in, in their own name or by permission."""

import asyncio

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.security.create_delegation_token import handle
from moldau.errors import KafkaError
from moldau.network.principal import Principal
from moldau.protocol.messages.security.create_delegation_token import CreateDelegationTokenRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.controller_asking import Judge

ALICE = Principal("User", "alice")


def ask(owner=None, principal=ALICE, judge=None):
    request = CreateDelegationTokenRequest(
        owner_principal_type=owner and "User",
        owner_principal_name=owner,
        renewers=[],
        max_lifetime_ms=-1,
    )
    broker = broker_with(answers=["a token"], protocols={"SASL": "SASL_PLAINTEXT"})
    if judge is not None:
        broker.authorizer = judge
    call = call_of(request, 3, "SASL")
    call.principal = principal
    return asyncio.run(handle(call, broker))


def test_who_has_logged_in_gets_a_token():
    assert ask() == "a token"
    assert ask("alice", judge=Judge()) == "a token"


def test_a_token_for_somebody_else_needs_permission():
    may = Judge((Operation.CREATE_TOKENS, Resource.USER, "User:bob"))
    assert ask("bob", judge=may) == "a token"
    with pytest.raises(KafkaError) as refusal:
        ask("bob", judge=Judge())
    assert refusal.value.code == ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED


def test_a_token_does_not_beget_a_token():
    with pytest.raises(KafkaError) as refusal:
        ask(principal=Principal("User", "alice", token_authenticated=True))
    assert refusal.value.code == ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
