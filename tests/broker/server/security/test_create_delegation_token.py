"""Tokens are for those who have logged in, in their own name or by permission."""

import asyncio

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.security.create_delegation_token import handle
from moldau.network.principal import Principal
from moldau.protocol.messages.security.create_delegation_token import (
    CreateDelegationTokenRequest,
    CreateDelegationTokenResponse,
)
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.controller_asking import Judge

ALICE = Principal("User", "alice")


def token():
    return CreateDelegationTokenResponse(
        error_code=0,
        principal_type="User",
        principal_name="alice",
        token_requester_principal_type="User",
        token_requester_principal_name="alice",
        issue_timestamp_ms=1,
        expiry_timestamp_ms=2,
        max_timestamp_ms=3,
        token_id="a token",
        hmac=b"secret",
        throttle_time_ms=0,
    )


def ask(owner="", principal=ALICE, judge=None, version=3, renewers=()):
    asked = CreateDelegationTokenRequest.CreatableRenewers
    request = CreateDelegationTokenRequest(
        owner_principal_type=owner and "User",
        owner_principal_name=owner,
        renewers=[asked(principal_type=kind, principal_name="x") for kind in renewers],
        max_lifetime_ms=-1,
    )
    broker = broker_with(answers=[token()], protocols={"SASL": "SASL_PLAINTEXT"})
    if judge is not None:
        broker.authorizer = judge
    call = call_of(request, version, "SASL")
    call.principal = principal
    return asyncio.run(handle(call, broker))


def test_who_has_logged_in_gets_a_token():
    assert ask().token_id == "a token"
    assert ask("alice", judge=Judge()).token_id == "a token"


def test_a_token_for_another_needs_permission():
    may = Judge((Operation.CREATE_TOKENS, Resource.USER, "User:bob"))
    assert ask("bob", judge=may).token_id == "a token"
    refused = ask("bob", judge=Judge())
    assert refused.error_code == ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED
    assert (refused.principal_name, refused.token_requester_principal_name) == ("bob", "alice")
    assert refused.max_timestamp_ms == -1


def test_a_token_does_not_beget_a_token():
    refused = ask(principal=Principal("User", "alice", token_authenticated=True))
    assert refused.error_code == ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED


@pytest.mark.parametrize("version", [1, 2, 3])
def test_each_version_has_an_answer(version):
    answer = decode(CreateDelegationTokenResponse, version, encode(ask(version=version), version))
    assert answer.token_id == "a token"
    assert answer.token_requester_principal_name == ("alice" if version == 3 else "")


def test_a_renewer_that_is_no_user_is_refused_before_the_controller_is_asked():
    assert ask(renewers=["User", "Group"]).error_code == ErrorCode.INVALID_PRINCIPAL_TYPE
