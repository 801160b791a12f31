"""Whom a listener knows."""

from base64 import b64encode

from moldau.broker.controller.security.tokens import token_hmac
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.security import DelegationToken, Scram, ScramCredential
from moldau.broker.metadata.security import Tokens as TokenImage
from moldau.broker.server.login.accounts import Tokens, is_password_of, scram_account
from moldau.network.sasl.scram_keys import ScramMechanism, credential_of, salt_password
from tests.broker.server.asking import broker_with

SHA_256 = ScramMechanism.SHA_256


def test_a_password_is_that_of_its_user():
    is_password = is_password_of({"alice": "wonder", "eve": ""})
    assert is_password("alice", "wonder")
    tried = [("alice", "wander"), ("alice", ""), ("bob", "wonder"), ("bob", "\0"), ("eve", "x")]
    assert not any(is_password(*pair) for pair in tried)


def test_a_user_has_a_credential_for_each_mechanism():
    stored = ScramCredential(b"salt", b"stored", b"server", 4096)
    image = Image(scram=Scram({(1, "alice"): stored}))
    found = scram_account(image, SHA_256, "alice")
    assert found is not None
    assert (found.owner, found.credential.salt) == ("alice", b"salt")
    assert scram_account(image, ScramMechanism.SHA_512, "alice") is None


def test_a_token_is_known_until_it_ends():
    token = DelegationToken("User:alice", "User:bob", (), 0, 2000, 1000, "an id")
    broker = broker_with(
        Image(tokens=TokenImage({"an id": token})), delegation_token_secret_key="secret"
    )
    now_ms = broker.clock.now_ms()
    token = token._replace(max_timestamp_ms=now_ms + 9, expiration_timestamp_ms=now_ms + 5)
    broker.metadata.image = Image(tokens=TokenImage({"an id": token}))
    tokens = Tokens(broker)
    found = tokens.account(SHA_256, "an id")
    assert found is not None
    password = b64encode(token_hmac("an id", "secret")).decode()
    salted = salt_password(SHA_256, password, found.credential.salt, 4096)
    assert found.credential == credential_of(SHA_256, salted, found.credential.salt, 4096)
    assert (found.owner, found.is_token, found.expires_at_ms) == ("alice", True, now_ms + 5)
    assert tokens.account(SHA_256, "another") is None
    broker.metadata.image = Image(
        tokens=TokenImage({"an id": token._replace(expiration_timestamp_ms=now_ms - 1)})
    )
    assert tokens.account(SHA_256, "an id") is None
