"""Judge: Apache Kafka and Moldau make the same of a token, and answer it with the same words.

The same bytes go to both: tokens that are valid, forged, stale, for others or badly made, and first
messages that are none. Compared are the error, its message, the challenge and that of the message
after it. Not among them: a scheme that is not Bearer, upon which Kafka closes unanswered.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest

from moldau.protocol.messages.security.sasl_authenticate import SaslAuthenticateRequest
from moldau.protocol.messages.security.sasl_handshake import SaslHandshakeRequest
from tests.interop.differential.side import ClosedError, Side
from tests.judges.identity_provider import (
    AUDIENCE,
    ISSUER,
    claims_of,
    key_set,
    new_ec_key,
    new_key,
    section,
    signed,
    signed_as_is,
    signed_by_secret,
    unsigned,
)
from tests.judges.logins import node_settings

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]

JAVA = "org.apache.kafka.common.security.oauthbearer"
LISTENER = "listener.name.plaintext.oauthbearer."
KEY, OTHER, CURVE = new_key(), new_key("other"), new_ec_key()
UNPUBLISHED = new_key("unpublished")
HEADER = {"alg": "RS256", "kid": "first"}
NOW_S = int(time.time())


def settings(**more):
    return {
        **node_settings(),
        "sasl.enabled.mechanisms": "PLAIN,OAUTHBEARER",
        f"{LISTENER}sasl.jaas.config": f"{JAVA}.OAuthBearerLoginModule required;",
        **{name.replace("_", "."): value for name, value in more.items()},
    }


def signed_settings(path, **more):
    return settings(
        **{
            f"{LISTENER}sasl.server.callback.handler.class": (
                f"{JAVA}.OAuthBearerValidatorCallbackHandler"
            ),
            "sasl.oauthbearer.jwks.endpoint.url": f"file://{path}",
            **more,
        }
    )


@dataclass
class Nodes:
    """Both, behind the same settings."""

    ours: Side
    kafka: Side


@pytest.fixture(scope="module")
def started(new_moldau_node, new_kafka_node, tmp_path_factory):
    path = tmp_path_factory.mktemp("keys") / "keys.json"
    path.write_bytes(key_set(KEY, OTHER, CURVE))
    allowed = f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=file://{path}"

    def start(settings):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("JAVA_TOOL_OPTIONS", allowed)
            sides = []
            for name, make in (("ours", new_moldau_node), ("kafka", new_kafka_node)):
                node = make(settings)
                node.start()
                sides.append(Side(name, node.client_port))
        return Nodes(*sides)

    return start, path


@pytest.fixture(scope="module")
def strict(started):
    start, path = started
    return start(
        signed_settings(
            path,
            **{
                "sasl.oauthbearer.expected.issuer": ISSUER,
                "sasl.oauthbearer.expected.audience": AUDIENCE,
                "sasl.oauthbearer.clock.skew.seconds": "1000",
            },
        )
    )


@pytest.fixture(scope="module")
def plain(started):
    """Neither issuer nor audience are set, and other claims are looked at."""
    start, path = started
    names = {
        "sasl.oauthbearer.sub.claim.name": "who",
        "sasl.oauthbearer.scope.claim.name": "scp",
        "sasl.oauthbearer.clock.skew.seconds": "0",
    }
    return start(signed_settings(path, **names))


@pytest.fixture(scope="module")
def unsecured(started):
    start, _ = started
    handler = f"{JAVA}.internals.unsecured.OAuthBearerUnsecuredValidatorCallbackHandler"
    login = (
        f'{JAVA}.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="x" '
        'unsecuredValidatorRequiredScope="read write" unsecuredValidatorPrincipalClaimName="sub" '
        'unsecuredValidatorAllowableClockSkewMs="1000000";'
    )
    return start(
        settings(
            **{
                f"{LISTENER}sasl.server.callback.handler.class": handler,
                f"{LISTENER}sasl.jaas.config": login,
            }
        )
    )


def first(token, pairs="", gs2="n,,"):
    return f"{gs2}\x01auth=Bearer {token}\x01{pairs}\x01".encode()


def answered(side, message):
    """All that a client gets to see: after an error as after a success."""
    seen: list[object] = []
    side.ask(SaslHandshakeRequest(mechanism="OAUTHBEARER"), 1)
    try:
        answer = side.ask(SaslAuthenticateRequest(auth_bytes=message), 1)
        lasts = answer.session_lifetime_ms > 0
        seen.append((answer.error_code, answer.error_message, bytes(answer.auth_bytes), lasts))
        if answer.auth_bytes:
            answer = side.ask(SaslAuthenticateRequest(auth_bytes=b"\x01"), 1)
            seen.append((answer.error_code, answer.error_message, bytes(answer.auth_bytes)))
    except ClosedError:
        seen.append("closed")
    side.close()
    return seen


def by(key, algorithm="RS256", header=None, **more):
    return signed(key, claims_of("alice", **more), algorithm, **(header or {}))


def tampered(token):
    head, _, signature = token.split(".")
    return f"{head}.{section(claims_of('admin'))}.{signature}"


SIGNED = {
    "valid": by(KEY),
    "by the other key": by(OTHER),
    "PS256": by(KEY, "PS256"),
    "RS512": by(KEY, "RS512"),
    "by a curve": by(CURVE, "ES256"),
    "without a key id": signed_as_is(KEY, {"alg": "RS256"}, claims_of("alice")),
    "a key id that is a number": signed_as_is(KEY, {"alg": "RS256", "kid": 5}, claims_of("alice")),
    "alg of a curve, by RSA": signed_as_is(KEY, HEADER | {"alg": "ES256"}, claims_of("alice")),
    "alg that is none": signed_as_is(KEY, HEADER | {"alg": "RS255"}, claims_of("alice")),
    "no alg": signed_as_is(KEY, {"kid": "first"}, claims_of("alice")),
    "alg a number": signed_as_is(KEY, HEADER | {"alg": 5}, claims_of("alice")),
    "by an unpublished key": by(UNPUBLISHED),
    "by an unpublished key under a known id": by(new_key("first")),
    "tampered": tampered(by(KEY)),
    "alg none": unsigned(claims_of("alice")),
    "alg None": unsigned(claims_of("alice"), alg="None", kid="first"),
    "HMAC with the public key": signed_by_secret(
        KEY.as_pem(private=False), HEADER, claims_of("alice")
    ),
    "expired": by(KEY, exp=NOW_S - 2000),
    "expired within the skew": by(KEY, exp=NOW_S - 500),
    "not before long": by(KEY, nbf=NOW_S + 3000),
    "not before, within the skew": by(KEY, nbf=NOW_S + 900),
    "no exp": by(KEY, exp=None),
    "no iat": by(KEY, iat=None),
    "iat in the future": by(KEY, iat=NOW_S + 3600),
    "exp before iat": by(KEY, iat=NOW_S + 2090, exp=NOW_S + 2080),
    "exp before nbf": by(KEY, nbf=NOW_S + 2090, exp=NOW_S + 2080),
    "exp is iat": by(KEY, iat=NOW_S + 2080, exp=NOW_S + 2080),
    "exp is zero": by(KEY, exp=0),
    "exp far away": by(KEY, exp=1 << 33),
    "exp a text": by(KEY, exp="tomorrow"),
    "exp true": by(KEY, exp=True),
    "exp with a fraction": by(KEY, exp=NOW_S + 100.5),
    "exp negative": by(KEY, exp=-5),
    "iat negative": by(KEY, iat=-5),
    "no issuer": by(KEY, iss=None),
    "another issuer": by(KEY, iss="https://other.example"),
    "issuer a list": by(KEY, iss=[ISSUER]),
    "no audience": by(KEY, aud=None),
    "another audience": by(KEY, aud="other"),
    "one of the audiences": by(KEY, aud=["other", AUDIENCE]),
    "audience a number": by(KEY, aud=5),
    "audience empty": by(KEY, aud=[]),
    "no sub": by(KEY, sub=None),
    "sub blank": by(KEY, sub="  "),
    "sub with blanks": by(KEY, sub=" alice "),
    "sub a number": by(KEY, sub=5),
    "sub in Greek": by(KEY, sub="Αλίκη"),
    "no scope": by(KEY, scope=None),
    "scope a list": by(KEY, scope=["one", "two"]),
    "scope twice": by(KEY, scope=["one", "one"]),
    "scope blank": by(KEY, scope=" "),
    "scope a number": by(KEY, scope=5),
    "crit": signed_as_is(KEY, {**HEADER, "crit": ["exp"], "exp": 5}, claims_of("alice")),
    "crit, not known": signed_as_is(KEY, {**HEADER, "crit": ["x"], "x": 5}, claims_of("alice")),
    "b64": signed_as_is(KEY, {**HEADER, "b64": True}, claims_of("alice")),
    "claims a list, signed": signed_as_is(KEY, HEADER, [1]),
    "two sections": ".".join(by(KEY).split(".")[:2]),
    "four sections": by(KEY) + ".x",
    "no signature": by(KEY).rpartition(".")[0] + ".",
    "no JSON": "e30x.e30x.AAAA",
    "claims a list": f"{section({'alg': 'RS256', 'kid': 'first'})}.{section([1])}.AAAA",
    "a name twice": f"{section({'alg': 'RS256', 'kid': 'first'})}.eyJhIjoxLCJhIjoyfQ.AAAA",
    "other claims": by(KEY, aud=None, iss=None, who="carol", scp=["x"]),
    "other claims, for an audience": by(KEY, who="carol", scp=["x"]),
    "other claims, expired a little": by(KEY, aud=None, who="carol", exp=NOW_S - 2),
}
MESSAGES = {
    "nothing": b"",
    "a lone error": b"\x01",
    "no auth": b"n,,\x01a=b\x01\x01",
    "no end": b"n,,\x01auth=Bearer " + by(KEY).encode() + b"\x01",
    "bearer in capitals": first(by(KEY)).replace(b"Bearer", b"BEARER"),
    "two blanks": first(by(KEY)).replace(b"Bearer ", b"Bearer  "),
    "own id": first(by(KEY), gs2="n,a=alice,"),
    "another id": first(by(KEY), gs2="n,a=admin,"),
    "another id, an invalid token": first("x.y.z", gs2="n,a=admin,"),
    "an id that is none": first(by(KEY), gs2="n,a=al=ice,"),
    "channel binding": first(by(KEY), gs2="y,,"),
    "extensions": first(by(KEY), pairs="logicalCluster=lkc-1\x01traceId=a b\x01"),
    "a malformed extension": first(by(KEY), pairs="logical_cluster=1\x01"),
    "an empty extension": first(by(KEY), pairs="one=\x01"),
    "not UTF-8": first(by(KEY), pairs="one=1\x01").replace(b"one=1", b"one=\xff"),
    "PLAIN": b"\0alice\0wonder",
    **{name: first(token) for name, token in SIGNED.items()},
}


@pytest.mark.parametrize("name", MESSAGES)
@pytest.mark.parametrize("which", ["strict", "plain"])
def test_signed_tokens_are_answered_as_by_kafka(request, which, name):
    nodes = request.getfixturevalue(which)
    assert answered(nodes.ours, MESSAGES[name]) == answered(nodes.kafka, MESSAGES[name])


def free(**claims):
    return unsigned({"sub": "alice", "exp": NOW_S + 3600, "scope": "read write", **claims})


UNSECURED = {
    "valid": free(),
    "valid, with a scope in a list": free(scope=["write", "read"]),
    "more scope than needed": free(scope="read write more"),
    "less scope than needed": free(scope="read"),
    "no scope": unsigned({"sub": "alice", "exp": NOW_S + 3600}),
    "expired": free(exp=NOW_S - 2000),
    "expired within the skew": free(exp=NOW_S - 500),
    "no exp": unsigned({"sub": "alice", "scope": "read write"}),
    "no sub": unsigned({"exp": NOW_S + 3600, "scope": "read write"}),
    "sub a number": free(sub=5),
    "sub empty": free(sub=""),
    "iat in the future": free(iat=NOW_S + 2000),
    "iat in the future, within the skew": free(iat=NOW_S + 900),
    "exp before iat": free(iat=NOW_S, exp=NOW_S - 1),
    "signed": by(KEY, scope="read write"),
    "with a signature": free() + "AAAA",
    "another alg": unsigned({"sub": "a", "exp": NOW_S + 100, "scope": "read write"}, alg="RS256"),
    "exp a text": free(exp="5"),
    "two sections": free().removesuffix("."),
}


@pytest.mark.parametrize("name", UNSECURED)
def test_unsecured_tokens_are_answered_as_by_kafka(unsecured, name):
    message = first(UNSECURED[name])
    assert answered(unsecured.ours, message) == answered(unsecured.kafka, message)
