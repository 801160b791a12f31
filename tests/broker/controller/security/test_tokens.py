"""Tokens live as long as they are renewed by those who may, and never longer than they can."""

import pytest

from moldau.broker.controller.decision import Call
from moldau.broker.controller.security.tokens import token_hmac
from moldau.errors import KafkaError
from moldau.protocol.messages.security.create_delegation_token import CreateDelegationTokenRequest
from moldau.protocol.messages.security.expire_delegation_token import ExpireDelegationTokenRequest
from moldau.protocol.messages.security.renew_delegation_token import RenewDelegationTokenRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, names

DAY_MS = 86_400_000
OWNER, RENEWER, STRANGER = "User:owner", "User:renewer", "User:stranger"


def cluster():
    return Conversation(delegation_token_secret_key="secret", metadata_max_idle_interval_ms="0")


def creation(renewer="User", **values):
    asked = CreateDelegationTokenRequest.CreatableRenewers
    given = {"owner_principal_type": None, "owner_principal_name": None, "max_lifetime_ms": -1}
    renewers = [asked(principal_type=renewer, principal_name="renewer")]
    return CreateDelegationTokenRequest(renewers=renewers, **{**given, **values})


def ask(talk, request, principal=OWNER):
    decision = talk.controller.decide(request, Call(3, principal), talk.now_ms, talk.now_ms)
    return talk._take(decision)


def code(talk, request, principal=OWNER):
    with pytest.raises(KafkaError) as refusal:
        ask(talk, request, principal)
    return refusal.value.code


def renewal(token, period_ms=-1):
    return RenewDelegationTokenRequest(hmac=token.hmac, renew_period_ms=period_ms)


def ending(token, period_ms):
    return ExpireDelegationTokenRequest(hmac=token.hmac, expiry_time_period_ms=period_ms)


def test_a_token_is_the_hmac_of_its_id_and_belongs_to_who_asked():
    talk = cluster()
    records, token = ask(talk, creation())
    assert (records[0].owner, records[0].renewers) == (OWNER, [RENEWER])
    assert token.hmac == token_hmac(token.token_id, "secret")
    assert token.expiry_timestamp_ms - talk.now_ms == DAY_MS
    assert token.max_timestamp_ms - talk.now_ms == 7 * DAY_MS
    assert (token.principal_type, token.principal_name) == ("User", "owner")


def test_a_shorter_life_bounds_both_times_and_a_longer_one_is_cut():
    talk = cluster()
    short = ask(talk, creation(max_lifetime_ms=5))[1]
    assert (short.expiry_timestamp_ms, short.max_timestamp_ms) == (talk.now_ms + 5,) * 2
    long = ask(talk, creation(max_lifetime_ms=99 * DAY_MS))[1]
    assert long.max_timestamp_ms == talk.now_ms + 7 * DAY_MS


def test_a_token_may_be_made_for_another_owner():
    request = creation(owner_principal_type="User", owner_principal_name="other")
    records, _ = ask(cluster(), request)
    assert (records[0].owner, records[0].requester) == ("User:other", OWNER)


def test_owner_and_renewers_may_renew_and_no_other():
    talk = cluster()
    token = ask(talk, creation())[1]
    talk.wait(DAY_MS // 2)
    for principal in (OWNER, RENEWER):
        _, reply = ask(talk, renewal(token), principal)
        assert reply.expiry_timestamp_ms == talk.now_ms + DAY_MS
    assert code(talk, renewal(token), STRANGER) == ErrorCode.DELEGATION_TOKEN_OWNER_MISMATCH
    for _ in range(7):
        reply = ask(talk, renewal(token))[1]
        talk.wait(DAY_MS - 1)
    assert reply.expiry_timestamp_ms == token.max_timestamp_ms


@pytest.mark.parametrize(
    ("asked_ms", "given_ms"), [(-1, DAY_MS), (0, DAY_MS), (5, 5), (3 * DAY_MS, DAY_MS)]
)
def test_no_renewal_is_longer_than_the_clusters_own_period(asked_ms, given_ms):
    talk = cluster()
    token = ask(talk, creation())[1]
    assert ask(talk, renewal(token, asked_ms))[1].expiry_timestamp_ms == talk.now_ms + given_ms


def test_a_token_ends_when_it_shall():
    talk = cluster()
    token = ask(talk, creation())[1]
    assert ask(talk, ending(token, 10))[1].expiry_timestamp_ms == talk.now_ms + 10
    records, _ = ask(talk, ending(token, -1))
    assert names(records) == ["RemoveDelegationToken"]
    assert code(talk, renewal(token)) == ErrorCode.DELEGATION_TOKEN_NOT_FOUND


def test_a_token_that_has_ended_is_removed_by_and_by():
    talk = cluster()
    token = ask(talk, creation(max_lifetime_ms=5))[1]
    talk.now_ms += 6
    assert code(talk, renewal(token)) == ErrorCode.DELEGATION_TOKEN_EXPIRED
    assert code(talk, ending(token, 5)) == ErrorCode.DELEGATION_TOKEN_EXPIRED
    assert names(talk.wait(3_600_000)) == ["RemoveDelegationToken"]


def test_without_a_secret_there_are_no_tokens_and_only_users_renew():
    assert code(Conversation(), creation()) == ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED
    assert code(cluster(), creation("Group")) == ErrorCode.INVALID_PRINCIPAL_TYPE
