"""Delegation tokens, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.admin.tokens import (
    create_delegation_token,
    describe_delegation_token,
    expire_delegation_token,
    renew_delegation_token,
)
from moldau.client.errors import InvalidArgumentError
from moldau.protocol.messages.security.create_delegation_token import CreateDelegationTokenResponse
from moldau.protocol.messages.security.renew_delegation_token import RenewDelegationTokenResponse
from tests.client.core.admin.asking import call, talk


def created() -> CreateDelegationTokenResponse:
    return CreateDelegationTokenResponse(
        error_code=0,
        principal_type="User",
        principal_name="a",
        token_requester_principal_type="",
        token_requester_principal_name="",
        issue_timestamp_ms=1,
        expiry_timestamp_ms=2,
        max_timestamp_ms=3,
        token_id="id",
        hmac=b"\x00\xff",
        throttle_time_ms=0,
    )


def test_a_token_is_a_login_and_does_not_show_its_secret():
    token = talk(create_delegation_token(call(), renewers=["User:b"])).receives(created()).result
    assert (token.owner, token.requester, token.renewers) == ("User:a", "User:a", ("User:b",))
    assert (token.password, token.expires_ms) == ("AP8=", 2)
    assert "AP8=" not in repr(token)


def test_another_owner_needs_a_broker_that_knows_owners():
    assert talk(create_delegation_token(call())).step.asks[0].oldest == 0
    assert talk(create_delegation_token(call(), owner="User:c")).step.asks[0].oldest == 3
    with pytest.raises(InvalidArgumentError, match="TYPE:NAME"):
        create_delegation_token(call(), owner="c")


def test_a_token_is_renewed_by_the_servers_period_and_ended_at_once():
    held = talk(renew_delegation_token(call(), b"h"))
    answer = RenewDelegationTokenResponse(error_code=0, expiry_timestamp_ms=9, throttle_time_ms=0)
    assert (held.asked[0][1].renew_period_ms, held.receives(answer).result) == (-1, 9)
    assert talk(expire_delegation_token(call(), b"h")).asked[0][1].expiry_time_period_ms == -1


def test_tokens_are_asked_for_by_owner_or_all():
    assert talk(describe_delegation_token(call())).asked[0][1].owners is None
    (owner,) = talk(describe_delegation_token(call(), ["User:a"])).asked[0][1].owners
    assert (owner.principal_type, owner.principal_name) == ("User", "a")
