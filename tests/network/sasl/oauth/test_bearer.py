"""OAUTHBEARER, both sides."""

from __future__ import annotations

import pytest

from moldau.network.sasl.dialogue import Identity, SaslError, SaslRefusedError
from moldau.network.sasl.oauth.bearer import ask_bearer, serve_bearer, token_of
from moldau.network.sasl.oauth.jwt import JwtError
from moldau.network.sasl.oauth.rules import Bearer
from moldau.network.sasl.oauth.unsecured import InsufficientScopeError
from tests.network.sasl.dialogues import converse


def validate(token):
    if token == "narrow":
        raise InsufficientScopeError("[write]")
    if token != "good":
        raise JwtError("the token has expired")
    return Bearer("alice", 5)


def serve(*messages):
    serving = serve_bearer(validate)
    next(serving)
    challenges = [serving.send(message) for message in messages[:-1]]
    try:
        challenges.append(serving.send(messages[-1]))
    except StopIteration as end:
        return end.value
    return challenges


def first(token, gs2=b"n,,", more=b""):
    return gs2 + b"\x01auth=Bearer " + token + b"\x01" + more + b"\x01"


def test_both_sides_agree():
    asking = ask_bearer("good", {"logicalCluster": "lkc-1"})
    assert converse(asking, serve_bearer(validate)) == Identity("alice", expires_at_ms=5)
    assert serve(first(b"good", b"n,a=alice,")) == Identity("alice", expires_at_ms=5)
    assert token_of(first(b"good")) == "good"


@pytest.mark.parametrize(
    ("token", "error"),
    [
        ("stale", '{"status":"invalid_token"}'),
        ("narrow", '{"status":"insufficient_scope", "scope":"[write]"}'),
    ],
)
def test_a_client_reads_the_error_before_it_is_refused(token, error):
    assert serve(first(token.encode())) == [error.encode()]
    with pytest.raises(SaslRefusedError) as refused:
        converse(ask_bearer(token), serve_bearer(validate))
    assert str(refused.value) == error
    assert "status" not in refused.value.reason


def test_the_token_decides_who_it_is():
    with pytest.raises(SaslRefusedError, match=r"authorization id \(bob\) .* \(alice\)"):
        serve(first(b"good", b"n,a=bob,"))


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\x01",
        b"\0alice\0wonder",
        b"n,,\x01\x01",
        b"n,,\x01auth=Bearer good\x01",
        b"n,,\x01auth=Basic good\x01\x01",
        b"n,,\x01auth=Bearer\x01\x01",
        b"y,,\x01auth=Bearer good\x01\x01",
        first(b"good", more=b"a_b=c\x01"),
        first(b"good", more=b"\xff=c\x01"),
        first(b"go od"),
    ],
)
def test_a_malformed_message_is_refused(message):
    with pytest.raises(SaslError):
        serve(message)


@pytest.mark.parametrize("extensions", [{"auth": "x"}, {"a b": "x"}, {"a": ""}, {"a": "\x01"}])
def test_an_extension_that_cannot_be_sent_is_refused_here(extensions):
    with pytest.raises(SaslError, match="extension"):
        next(ask_bearer("good", extensions))
