"""Assertions that a client shows to its identity provider."""

from __future__ import annotations

import json
from urllib.parse import parse_qs

import pytest
from joserfc import jwt

from moldau.config.broker.oauth import TokenLoginKeys
from moldau.errors import MoldauError
from moldau.network.outgoing.assertions import assertions_of
from moldau.network.outgoing.bearer_login import LoginWorld, bearer_login
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.jaas import parse_jaas
from moldau.network.sasl.oauth.unsecured import make_unsecured
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run
from tests.judges.identity_provider import new_ec_key, new_key
from tests.network.outgoing.scripted_web import URL, ScriptedWeb, answer

KEY = new_key()
CURVE = new_ec_key()
ASSERTION = "sasl.oauthbearer.assertion."
PACKAGE = "org.apache.kafka.common.security.oauthbearer"
RETRIEVER = "sasl.oauthbearer.jwt.retriever.class"
ENDPOINT = {"sasl.oauthbearer.token.endpoint.url": f"{URL}/token"}
JWT_BEARER = {RETRIEVER: f"{PACKAGE}.JwtBearerJwtRetriever", **ENDPOINT}
SIGNED = {f"{ASSERTION}private.key.file": "key.pem"}
FILES = {
    "key.pem": KEY.as_pem(private=True),
    "curve.pem": CURVE.as_pem(private=True, password="opened"),
    "ready": b" ready.made.assertion\n",
    "wrong": "\N{SNOWMAN}".encode(),
    "template": json.dumps(
        {"header": {"kid": "k", "alg": "none"}, "payload": {"sub": "of file", "iat": 1, "a": [2]}}
    ).encode(),
    "list": b"[]",
    "flat": b'{"header": 5}',
}


def files():
    found = SimulatedFiles()
    for name, data in FILES.items():
        found.open(name, create=True).append(data)
    return found


def made(given, key=KEY):
    """What stands in an assertion that another library has verified, and when it was made."""
    clock = SimulatedClock()

    async def main(tasks):
        settings = TokenLoginKeys({f"{ASSERTION}{name}": text for name, text in given.items()})
        source = assertions_of(settings, files(), tasks, clock, SeededRandom(1))
        return await source.make(), await source.make(), repr(source)

    first, second, shown = run(main, clock)
    assert "opened" not in shown
    found = [jwt.decode(text, key, algorithms=["RS256", "ES256"]) for text in (first, second)]
    return found[0].header, found[0].claims, found[1].claims, clock.now_ms() // 1000


def test_an_assertion_has_the_claims_of_the_settings_and_the_time():
    given = {"private.key.file": "key.pem", "claim.aud": "a", "claim.iss": "i", "claim.sub": "s"}
    header, claims, _, now_s = made(given)
    assert header == {"alg": "RS256", "typ": "JWT"}
    times = {"iat": now_s, "exp": now_s + 300, "nbf": now_s - 60}
    assert claims == {"aud": "a", "iss": "i", "sub": "s", **times}


def test_an_id_is_drawn_for_each_where_it_is_asked_for():
    given = {"private.key.file": "key.pem", "claim.jti.include": "true", "claim.exp.seconds": "5"}
    _, first, second, now_s = made(given)
    assert first["exp"] == now_s + 5
    assert len({first["jti"], second["jti"]}) == 2


def test_the_template_replaces_settings_and_the_time_replaces_the_template():
    given = {"private.key.file": "key.pem", "template.file": "template", "claim.sub": "of setting"}
    header, claims, _, now_s = made(given)
    assert header == {"alg": "RS256", "typ": "JWT", "kid": "k"}
    assert (claims["sub"], claims["a"], claims["iat"]) == ("of file", [2], now_s)


def test_a_curve_signs_and_a_passphrase_opens_its_key():
    given = {"private.key.file": "curve.pem", "algorithm": "es256"}
    header, *_ = made(given | {"private.key.passphrase": "opened"}, CURVE)
    assert header["alg"] == "ES256"
    with pytest.raises(SaslError, match="cannot be read"):
        made(given, CURVE)


@pytest.mark.parametrize(
    ("given", "clause"),
    [
        ({}, r"needs sasl.oauthbearer.assertion.file or .*private.key.file"),
        ({"private.key.file": "nothing"}, "nothing"),
        ({"private.key.file": "key.pem", "template.file": "list"}, "not an object of JSON"),
        ({"private.key.file": "key.pem", "template.file": "flat"}, "is no object of JSON"),
        ({"file": "wrong"}, "holds no assertion"),
    ],
)
def test_what_makes_no_assertion_is_an_error(given, clause):
    with pytest.raises(MoldauError, match=clause):
        made(given)


def asked(given, options="M required;"):
    """The form and the headers that an identity provider is sent."""
    clock = SimulatedClock()
    token = make_unsecured({"unsecuredLoginStringClaim_sub": "a"}, clock.now_ms())
    server = ScriptedWeb(answer(json.dumps({"access_token": token}).encode()))

    async def main(tasks):
        net = SimulatedWorld(tasks, SeededRandom(1))
        await server.open(net)
        world = LoginWorld(net.host("client"), clock, SeededRandom(1), tasks, files())
        login = bearer_login(TokenLoginKeys(given), parse_jaas(options), world)
        await login.begin(Address("broker", 9092))

    run(main, clock)
    head, _, body = server.asked[0].partition("\r\n\r\n")
    return {name: value for name, (value,) in parse_qs(body).items()}, head


def test_an_assertion_is_granted_a_token_without_a_secret():
    form, head = asked({**JWT_BEARER, f"{ASSERTION}file": "ready", "sasl.oauthbearer.scope": "a b"})
    assert form == {
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "assertion": "ready.made.assertion",
        "scope": "a b",
    }
    assert "Authorization" not in head
    form, _ = asked({**JWT_BEARER, **SIGNED})
    assert jwt.decode(form["assertion"], KEY, algorithms=["RS256"]).header["typ"] == "JWT"


def test_client_credentials_take_an_assertion_before_a_secret():
    secret = 'M required clientId="alice" clientSecret="wonder";'
    form, head = asked({**ENDPOINT, f"{ASSERTION}file": "ready"}, secret)
    assert form == {
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": "ready.made.assertion",
        "grant_type": "client_credentials",
        "client_id": "alice",
    }
    assert "Authorization" not in head
    form, _ = asked({**ENDPOINT, **SIGNED, f"{ASSERTION}claim.iss": "alice"})
    found = jwt.decode(form["client_assertion"], KEY, algorithms=["RS256"])
    assert found.claims["iss"] == "alice"
    form, head = asked(ENDPOINT, secret)
    assert (form, "Authorization: Basic" in head) == ({"grant_type": "client_credentials"}, True)


@pytest.mark.parametrize(
    ("given", "clause"),
    [
        ({RETRIEVER: "com.example.Own", **ENDPOINT}, "known are .*JwtBearerJwtRetriever"),
        ({RETRIEVER: JWT_BEARER[RETRIEVER]}, "which needs sasl.oauthbearer.token.endpoint.url"),
        ({RETRIEVER: f"{PACKAGE}.FileJwtRetriever", **ENDPOINT}, "has to begin with file://"),
        (JWT_BEARER, "needs sasl.oauthbearer.assertion.file or"),
    ],
)
def test_settings_that_do_not_fit_together_are_refused_before_a_connection(given, clause):
    with pytest.raises(SaslError, match=clause):
        asked(given)
