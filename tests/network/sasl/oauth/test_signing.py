"""Tokens that are signed here are verified by another library."""

from __future__ import annotations

from typing import Any

import pytest
from joserfc import jwt

from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.oauth.signing import sign_jwt
from tests.judges.identity_provider import new_ec_key, new_key

CLAIMS = {"sub": "alice"}
KEYS: Any = {"RS256": new_key(), "ES256": new_ec_key()}


@pytest.mark.parametrize("algorithm", KEYS)
@pytest.mark.parametrize("passphrase", [None, "opened"])
def test_another_library_verifies_what_is_signed(algorithm, passphrase):
    key = KEYS[algorithm]
    pem = key.as_pem(private=True, password=passphrase)
    text = sign_jwt({"alg": algorithm, "kid": "a"}, CLAIMS, pem, passphrase)
    found = jwt.decode(text, key, algorithms=[algorithm])
    assert (found.claims, found.header) == (CLAIMS, {"alg": algorithm, "kid": "a"})


@pytest.mark.parametrize(
    ("key", "algorithm", "passphrase", "clause"),
    [
        (b"nonsense", "RS256", None, "cannot be read"),
        (KEYS["RS256"].as_pem(private=True, password="opened"), "RS256", None, "cannot be read"),
        (KEYS["RS256"].as_pem(private=True, password="opened"), "RS256", "no", "cannot be read"),
        (KEYS["RS256"].as_pem(private=True), "ES256", None, "none for ES256"),
        (KEYS["ES256"].as_pem(private=True), "RS256", None, "none for RS256"),
        (new_ec_key(curve="P-384").as_pem(private=True), "ES256", None, "none for ES256"),
    ],
)
def test_a_key_that_does_not_fit_is_refused_and_not_shown(key, algorithm, passphrase, clause):
    with pytest.raises(SaslError, match=clause) as refused:
        sign_jwt({"alg": algorithm}, CLAIMS, key, passphrase)
    assert "PRIVATE" not in str(refused.value)
