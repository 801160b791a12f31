"""Keys of SCRAM against the example of RFC 7677."""

import hmac
from base64 import b64decode, b64encode

import pytest

from moldau.network.sasl.scram_keys import (
    ScramError,
    ScramMechanism,
    client_key_of,
    credential_of,
    salt_password,
)

SALT = b64decode("W22ZaJ0SNY7soEsUEjb6gQ==")
AUTH_MESSAGE = (
    b"n=user,r=rOprNGfwEbeRWgbNEkqO,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
    b"s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
)


def test_proof_and_signature_are_those_of_the_rfc():
    mechanism = ScramMechanism.SHA_256
    salted = salt_password(mechanism, "pencil", SALT, 4096)
    credential = credential_of(mechanism, salted, SALT, 4096)
    signature = hmac.digest(credential.stored_key, AUTH_MESSAGE, "sha256")
    key = client_key_of(mechanism, salted)
    proof = bytes(a ^ b for a, b in zip(key, signature, strict=True))
    assert b64encode(proof) == b"dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
    answer = hmac.digest(credential.server_key, AUTH_MESSAGE, "sha256")
    assert b64encode(answer) == b"6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="


def test_a_credential_shows_none_of_its_keys():
    credential = credential_of(ScramMechanism.SHA_512, b"salted", b"salt", 4096)
    assert repr(credential) == "ScramCredential(SCRAM-SHA-512, 4096 iterations)"


def test_an_unknown_mechanism_is_named_with_those_that_are_known():
    with pytest.raises(ScramError, match="SCRAM-SHA-1 is not SCRAM-SHA-256 or SCRAM-SHA-512"):
        ScramMechanism.named("SCRAM-SHA-1")
