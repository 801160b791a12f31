"""Credentials, judged by the examples of the RFCs."""

from base64 import b64decode

import pytest

from moldau.broker.security.scram import parse_credential
from moldau.network.sasl.scram_keys import (
    ITERATIONS,
    ScramError,
    ScramMechanism,
    credential_of,
    salt_password,
)
from moldau.platform.simulated.randomness import SeededRandom

RANDOM = SeededRandom(7)
RFC_7677_SALT = b64decode("W22ZaJ0SNY7soEsUEjb6gQ==")


def test_the_keys_are_those_of_the_rfc():
    """RFC 7677, section 3: its server signature was made with this server key."""
    import hashlib
    import hmac

    sha256 = ScramMechanism.SHA_256
    made = credential_of(sha256, salt_password(sha256, "pencil", RFC_7677_SALT, 4096), b"", 4096)
    messages = (
        b"n=user,r=rOprNGfwEbeRWgbNEkqO,"
        b"r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,"
        b"c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
    )
    signature = hmac.digest(made.server_key, messages, "sha256")
    assert signature == b64decode("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")
    proof = b64decode("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=")
    mask = hmac.digest(made.stored_key, messages, "sha256")
    client_key = bytes(left ^ right for left, right in zip(proof, mask, strict=True))
    assert hashlib.sha256(client_key).digest() == made.stored_key


def test_a_password_is_salted_anew_each_time():
    text = "SCRAM-SHA-512=[name=alice,password=secret]"
    user, one = parse_credential(text, RANDOM)
    _, other = parse_credential(text, RANDOM)
    assert (user, one.mechanism, one.iterations) == ("alice", ScramMechanism.SHA_512, ITERATIONS)
    assert one.salt != other.salt
    assert one.stored_key != other.stored_key


def test_a_password_that_is_salted_already_is_taken_as_it_is():
    sha256 = ScramMechanism.SHA_256
    text = 'SCRAM-SHA-256=[name=bob,iterations=8192,salt="N3E=",saltedpassword="YCE="]'
    user, credential = parse_credential(text, RANDOM)
    assert user == "bob"
    assert credential == credential_of(sha256, b64decode("YCE="), b64decode("N3E="), 8192)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("alice", "MECHANISM="),
        ("SCRAM-MD5=[name=a,password=b]", "The add-scram mechanism SCRAM-MD5 is not supported."),
        ("SCRAM-SHA-256=[password=b]", "You must supply 'name' to add-scram"),
        ("SCRAM-SHA-256=[name=a]", "one of 'password' or 'saltedpassword' to add-scram"),
        (
            "SCRAM-SHA-256=[name=a,saltedpassword=YCE=]",
            "You must supply 'salt' with 'saltedpassword' to add-scram",
        ),
        (
            "SCRAM-SHA-256=[name=a,password=b,iterations=5]",
            "must be >= 4096 for add-scram using SCRAM_SHA_256",
        ),
        ("SCRAM-SHA-512=[name=a,password=b,iterations=16385]", "<= 16384 for .*SCRAM_SHA_512"),
        ("SCRAM-SHA-256=[name=a,password=b,salt=!]", "salt is not base64"),
    ],
)
def test_a_credential_that_cannot_be_is_refused(text, complaint):
    with pytest.raises(ScramError, match=complaint):
        parse_credential(text, RANDOM)


def test_a_refusal_does_not_repeat_the_password():
    with pytest.raises(ScramError) as refused:
        parse_credential("name=alice,password=hunter2", RANDOM)
    assert "hunter2" not in str(refused.value)
    assert "secret" not in repr(parse_credential("SCRAM-SHA-256=[name=a,password=secret]", RANDOM))
