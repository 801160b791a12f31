"""Tokens are described to those who own, renew or may describe them."""

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.security.describe_delegation_token import handle
from moldau.errors import KafkaError
from moldau.network.principal import Principal
from moldau.protocol.messages.security.describe_delegation_token import (
    DescribeDelegationTokenRequest,
    DescribeDelegationTokenResponse,
)
from moldau.protocol.messages.stored.metadata_security import DelegationTokenRecord
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.controller_asking import Judge
from tests.broker.server.images import image_of


def token(number, owner, *renewers):
    return DelegationTokenRecord(
        owner=owner,
        requester=owner,
        renewers=list(renewers),
        issue_timestamp=1,
        max_timestamp=3,
        expiration_timestamp=2,
        token_id=f"token{number}",
    )


IMAGE = image_of(token(1, "User:alice"), token(2, "User:bob", "User:alice"), token(3, "User:bob"))


def ask(owners=None, judge=None, secret="secret", version=3):
    tokens = described(owners, judge, secret, version).tokens
    return [token.token_id for token in tokens]


def described(owners=None, judge=None, secret="secret", version=3):
    asked = None
    if owners is not None:
        owner = DescribeDelegationTokenRequest.DescribeDelegationTokenOwner
        asked = [owner(principal_type="User", principal_name=name) for name in owners]
    call = call_of(DescribeDelegationTokenRequest(owners=asked), version, "SASL")
    call.principal = Principal("User", "alice")
    broker = broker_with(IMAGE, protocols={"SASL": "SASL_SSL"}, delegation_token_secret_key=secret)
    broker.authorizer = judge or Judge()
    return handle(call, broker)


def test_a_caller_sees_what_it_owns_or_may_renew():
    assert ask() == ["token1", "token2"]
    assert ask(["bob"]) == ["token2"]
    assert ask(["alice"]) == ["token1", "token2"], "renewers count among the owners"
    assert ask([]) == []


@pytest.mark.parametrize("version", [1, 2, 3])
def test_each_version_has_an_answer(version):
    answer = encode(described(version=version), version)
    (first, _) = decode(DescribeDelegationTokenResponse, version, answer).tokens
    assert first.token_id == "token1"
    assert first.token_requester_principal_name == ("alice" if version == 3 else "")


@pytest.mark.parametrize(
    "rule",
    [
        (Operation.DESCRIBE, Resource.DELEGATION_TOKEN, "token3"),
        (Operation.DESCRIBE_TOKENS, Resource.USER, "User:bob"),
    ],
)
def test_a_caller_sees_what_it_may_describe(rule):
    assert ask(judge=Judge(rule)) == ["token1", "token2", "token3"]


def test_without_a_secret_there_are_no_tokens():
    with pytest.raises(KafkaError) as refusal:
        ask(secret=None)
    assert refusal.value.code == ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED
