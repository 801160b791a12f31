"""Signatures of another implementation are verified, and nothing else is."""

from __future__ import annotations

import json

import pytest
from joserfc.jwk import OctKey

from moldau.network.sasl.oauth.jwt import JwtError, parse_jwt
from moldau.network.sasl.oauth.keys import KEYS_MAX, read_keys
from tests.judges.identity_provider import (
    claims_of,
    key_set,
    new_ec_key,
    new_ed_key,
    new_key,
    signed,
    signed_as_is,
    signed_by_secret,
    unsigned,
)

RSA, CURVE, EDWARDS = new_key("rsa"), new_ec_key("p256"), new_ed_key("ed")
CURVE_384, CURVE_521 = new_ec_key("p384", "P-384"), new_ec_key("p521", "P-521")
KEYS = read_keys(key_set(RSA, CURVE, CURVE_384, CURVE_521, EDWARDS))
CLAIMS = claims_of("alice")


@pytest.mark.parametrize(
    ("key", "algorithm"),
    [
        *((RSA, name) for name in ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")),
        (CURVE, "ES256"),
        (CURVE_384, "ES384"),
        (CURVE_521, "ES512"),
        (EDWARDS, "Ed25519"),
    ],
)
def test_every_algorithm_is_verified_and_a_changed_token_is_not(key, algorithm):
    token = signed(key, CLAIMS, algorithm)
    KEYS.verify(parse_jwt(token))
    jwt = parse_jwt(token)
    for changed in (
        jwt._replace(signed=jwt.signed + b"x"),
        jwt._replace(signature=jwt.signature[:-1] + bytes([jwt.signature[-1] ^ 1])),
        jwt._replace(signature=b""),
        jwt._replace(signature=jwt.signature + b"\0"),
    ):
        with pytest.raises(JwtError):
            KEYS.verify(changed)


@pytest.mark.parametrize(
    "token",
    [
        unsigned(CLAIMS),
        unsigned(CLAIMS, alg="NONE"),
        unsigned(CLAIMS, alg=None),
        unsigned(CLAIMS, alg=["RS256"]),
        unsigned(CLAIMS, alg="RS256", kid="rsa"),
        signed_by_secret(RSA.as_pem(private=False), {"kid": "rsa"}, CLAIMS),
    ],
)
def test_no_algorithm_but_those_with_public_keys_is_accepted(token):
    with pytest.raises(JwtError):
        KEYS.verify(parse_jwt(token))


def test_a_key_is_for_the_algorithms_that_fit_it_and_that_it_names():
    token = parse_jwt(signed(RSA, CLAIMS, "RS256"))
    with pytest.raises(JwtError, match="none with the key id"):
        KEYS.verify(token._replace(header={"alg": "ES256", "kid": "rsa"}))
    named = json.loads(key_set(RSA))
    named["keys"][0]["alg"] = "PS256"
    with pytest.raises(JwtError, match="none with the key id"):
        read_keys(json.dumps(named).encode()).verify(token)


def test_a_token_without_a_key_id_is_tried_with_all():
    token = parse_jwt(signed(new_key("rsa"), CLAIMS))
    with pytest.raises(JwtError, match="not by the provider's key"):
        KEYS.verify(token)
    KEYS.verify(parse_jwt(signed_as_is(RSA, {"alg": "RS256"}, CLAIMS)))
    assert KEYS.has("rsa")
    assert KEYS.has(None)
    assert not KEYS.has("gone")


def test_an_extension_that_is_critical_is_not_there():
    jwt = parse_jwt(signed(RSA, CLAIMS))
    for more in ({"crit": ["exp"]}, {"b64": False}):
        with pytest.raises(JwtError, match="extension"):
            KEYS.verify(jwt._replace(header={**jwt.header, **more}))


def test_keys_that_verify_nothing_are_left_out():
    secret = OctKey.generate_key(256, {"kid": "secret"}).as_dict(private=True)
    (long,) = json.loads(key_set(RSA))["keys"]
    short, other = {**long, "n": long["n"][:170]}, {**long, "use": "enc"}
    broken = {"kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ", "kid": "off the curve"}
    rest = [{}, 5, {"kty": "RSA", "n": 5, "e": "AQAB"}, {"kty": "OKP", "crv": "Ed25519", "x": "AQ"}]
    good = json.loads(key_set(CURVE))["keys"]
    found = read_keys(json.dumps({"keys": [secret, short, other, broken, *rest, *good]}).encode())
    assert repr(found) == "KeySet(p256)"


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"{}", b'{"keys":5}', b'{"keys":[]}', b'{"keys":[{}]}',
     json.dumps({"keys": [{}] * (KEYS_MAX + 1)}).encode()],
)  # fmt: skip
def test_what_is_no_set_of_keys_is_refused(text):
    with pytest.raises(JwtError, match="set of keys"):
        read_keys(text)
