"""SCRAM credentials: what a broker keeps of a password (RFC 5802, RFC 7677, KIP-84).

A password is salted and hashed many times; of the result only two keys are stored. The stored key
proves that a client has the password, the server key that the server has the credential, and
neither gives the password away.

    salted = PBKDF2(password, salt, iterations)
    stored key = H(HMAC(salted, "Client Key")), server key = HMAC(salted, "Server Key")
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Mapping
from enum import Enum

from moldau.errors import MoldauError
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass

ITERATIONS = 4096
ITERATIONS_MAX = 16_384
SALT_BYTES = 26
_ARGUMENT = re.compile(r"([^=]+)=\[(.*)\]", re.DOTALL)
_PAIR = re.compile(r'\s*([a-z]+)=("[^"]*"|[^,]*)(?:,|$)')


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


def credential_of(
    mechanism: ScramMechanism, salted_password: bytes, salt: bytes, iterations: int
) -> ScramCredential:
    client_key = hmac.digest(salted_password, b"Client Key", mechanism.digest)
    return ScramCredential(
        mechanism,
        salt,
        stored_key=hashlib.new(mechanism.digest, client_key).digest(),
        server_key=hmac.digest(salted_password, b"Server Key", mechanism.digest),
        iterations=iterations,
    )


def parse_credential(text: str, random: Random) -> tuple[str, ScramCredential]:
    """User and credential of `SCRAM-SHA-256=[name=alice,password=…]`, as people type it.

    Instead of `password` there may be `saltedpassword` with `salt`; `iterations` may be given.
    """
    match = _ARGUMENT.fullmatch(text.strip())
    if match is None:
        raise ScramError(f"a credential is MECHANISM=[name=...,password=...], not {_hidden(text)}")
    mechanism = ScramMechanism.named(match[1].strip())
    given = {key: value.strip('"') for key, value in _PAIR.findall(match[2])}
    name = given.get("name", "")
    if not name:
        raise ScramError("a credential needs the name of its user: name=...")
    iterations = _iterations(given.get("iterations"))
    salt = _decoded(given["salt"], "salt") if "salt" in given else random.randbytes(SALT_BYTES)
    salted = _salted_password(mechanism, given, salt, iterations)
    return name, credential_of(mechanism, salted, salt, iterations)


def _salted_password(
    mechanism: ScramMechanism, given: Mapping[str, str], salt: bytes, iterations: int
) -> bytes:
    if ("password" in given) == ("saltedpassword" in given):
        raise ScramError("a credential needs one of password and saltedpassword")
    if "password" in given:
        return salt_password(mechanism, given["password"], salt, iterations)
    if "salt" not in given:
        raise ScramError("a credential with saltedpassword needs its salt too")
    return _decoded(given["saltedpassword"], "saltedpassword")


def _iterations(text: str | None) -> int:
    if text is None:
        return ITERATIONS
    count = int(text) if text.isdecimal() and len(text) < 10 else 0
    if not ITERATIONS <= count <= ITERATIONS_MAX:
        raise ScramError(f"iterations must be {ITERATIONS} to {ITERATIONS_MAX}, not {text}")
    return count


def _decoded(text: str, name: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except Base64Error:
        raise ScramError(f"{name} is not base64") from None


def _hidden(text: str) -> str:
    return re.sub(r"password=[^,\]]*", "password=[hidden]", text)
