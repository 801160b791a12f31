"""What is made of a password for SCRAM, and what is kept of it (RFC 5802, RFC 7677, KIP-84).

    salted = PBKDF2(password, salt, iterations)
    client key = HMAC(salted, "Client Key"), stored key = H(client key)
    server key = HMAC(salted, "Server Key")

The stored key proves that a client knows the password, the server key that the server knows the
credential, and neither gives the password away.
"""

from __future__ import annotations

import hashlib
import hmac
from enum import Enum

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass

__all__ = [
    "ITERATIONS",
    "ITERATIONS_MAX",
    "ScramCredential",
    "ScramError",
    "ScramMechanism",
    "client_key_of",
    "credential_of",
    "salt_password",
]

ITERATIONS = 4096
"""The fewest that are accepted, and the default."""
ITERATIONS_MAX = 16_384
"""As many as Kafka lets be set: a server that asks a client for more would keep it busy."""


class ScramError(MoldauError):
    """A credential that cannot be."""


class ScramMechanism(Enum):
    """A mechanism: its name, its number in metadata records, its hash."""

    SHA_256 = ("SCRAM-SHA-256", 1, "sha256")
    SHA_512 = ("SCRAM-SHA-512", 2, "sha512")

    def __init__(self, sasl_name: str, number: int, digest: str) -> None:
        self.sasl_name = sasl_name
        self.number = number
        self.digest = digest

    @classmethod
    def named(cls, name: str) -> ScramMechanism:
        for mechanism in cls:
            if mechanism.sasl_name == name:
                return mechanism
        known = " or ".join(mechanism.sasl_name for mechanism in cls)
        raise ScramError(f"the mechanism {name} is not {known}")


@dataclass(frozen=True, slots=True)
class ScramCredential:
    """What is stored for a user."""

    mechanism: ScramMechanism
    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int

    def __repr__(self) -> str:
        return f"ScramCredential({self.mechanism.sasl_name}, {self.iterations} iterations)"


def salt_password(mechanism: ScramMechanism, password: str, salt: bytes, iterations: int) -> bytes:
    return hashlib.pbkdf2_hmac(mechanism.digest, password.encode(), salt, iterations)


def client_key_of(mechanism: ScramMechanism, salted_password: bytes) -> bytes:
    return hmac.digest(salted_password, b"Client Key", mechanism.digest)


def credential_of(
    mechanism: ScramMechanism, salted_password: bytes, salt: bytes, iterations: int
) -> ScramCredential:
    client_key = client_key_of(mechanism, salted_password)
    return ScramCredential(
        mechanism,
        salt,
        stored_key=hashlib.new(mechanism.digest, client_key).digest(),
        server_key=hmac.digest(salted_password, b"Server Key", mechanism.digest),
        iterations=iterations,
    )
