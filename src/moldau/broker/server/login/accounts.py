"""Whom the mechanisms of a listener know: from its settings, and from the metadata log."""

from __future__ import annotations

import hmac
from base64 import b64encode
from collections.abc import Callable, Mapping

from moldau.broker.controller.security.tokens import token_hmac
from moldau.broker.metadata.image import Image
from moldau.broker.server.broker import Broker
from moldau.network.sasl.scram import Account
from moldau.network.sasl.scram_keys import (
    ITERATIONS,
    ScramCredential,
    ScramMechanism,
    credential_of,
    salt_password,
)

__all__ = ["Tokens", "is_password_of", "scram_account"]

ABSENT = "\0"
"""A password that no token of PLAIN can hold."""
TOKENS_MAX = 1_000
"""Tokens whose credentials are remembered; making one again takes as long as a login."""


def is_password_of(users: Mapping[str, str]) -> Callable[[str, str], bool]:
    """Compares with one password or the other, and takes the same time."""

    def is_password(name: str, password: str) -> bool:
        expected = users.get(name, ABSENT)
        is_same = hmac.compare_digest(password.encode(), expected.encode())
        return is_same and name in users

    return is_password


def scram_account(image: Image, mechanism: ScramMechanism, name: str) -> Account | None:
    """A user's credential, as the metadata log has it."""
    stored = image.scram.of(mechanism.number, name)
    if stored is None:
        return None
    return Account(name, ScramCredential(mechanism, *stored))


class Tokens:
    """Delegation tokens as accounts: the id is the name, and the HMAC the password (KIP-48)."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._kept: dict[tuple[ScramMechanism, str], ScramCredential] = {}

    def account(self, mechanism: ScramMechanism, token_id: str) -> Account | None:
        broker = self._broker
        token = broker.metadata.image.tokens.by_id.get(token_id)
        secret = broker.settings.delegation_token_secret_key
        if token is None or not secret:
            return None
        ends_ms = min(token.expiration_timestamp_ms, token.max_timestamp_ms)
        if ends_ms < broker.clock.now_ms():
            return None
        credential = self._credential(mechanism, token_id, secret)
        owner = token.owner.partition(":")[2]
        return Account(owner, credential, is_token=True, expires_at_ms=ends_ms)

    def _credential(self, mechanism: ScramMechanism, token_id: str, secret: str) -> ScramCredential:
        key = mechanism, token_id
        if key not in self._kept:
            if len(self._kept) >= TOKENS_MAX:
                del self._kept[next(iter(self._kept))]
            salt = token_id.encode()
            # Kafka's clients use the HMAC in base64, and they salt that text.
            password = b64encode(token_hmac(token_id, secret)).decode()
            salted = salt_password(mechanism, password, salt, ITERATIONS)
            self._kept[key] = credential_of(mechanism, salted, salt, ITERATIONS)
        return self._kept[key]
