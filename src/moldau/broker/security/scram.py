"""SCRAM credentials as people type them: `SCRAM-SHA-256=[name=alice,password=...]`."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Mapping

from moldau.network.sasl.scram_keys import (
    ITERATIONS,
    ITERATIONS_MAX,
    ScramCredential,
    ScramError,
    ScramMechanism,
    credential_of,
    salt_password,
)
from moldau.platform.ports.randomness import Random

__all__ = ["parse_credential"]

SALT_BYTES = 26
_ARGUMENT = re.compile(r"([^=]+)=\[(.*)\]", re.DOTALL)
_PAIR = re.compile(r'\s*([a-z]+)=("[^"]*"|[^,]*)(?:,|$)')


def parse_credential(text: str, random: Random) -> tuple[str, ScramCredential]:
    """User and credential of `SCRAM-SHA-256=[name=alice,password=…]`, as people type it.

    Instead of `password` there may be `saltedpassword` with `salt`; `iterations` may be given.
    """
    match = _ARGUMENT.fullmatch(text.strip())
    if match is None:
        raise ScramError(f"a credential is MECHANISM=[name=...,password=...], not {_hidden(text)}")
    mechanism = _mechanism(match[1].strip())
    given = {key: value.strip('"') for key, value in _PAIR.findall(match[2])}
    name = given.get("name", "")
    if not name:
        raise ScramError("You must supply 'name' to add-scram")
    iterations = _iterations(given.get("iterations"), mechanism)
    salt = _decoded(given["salt"], "salt") if "salt" in given else random.randbytes(SALT_BYTES)
    salted = _salted_password(mechanism, given, salt, iterations)
    return name, credential_of(mechanism, salted, salt, iterations)


def _salted_password(
    mechanism: ScramMechanism, given: Mapping[str, str], salt: bytes, iterations: int
) -> bytes:
    if ("password" in given) == ("saltedpassword" in given):
        raise ScramError("You must supply one of 'password' or 'saltedpassword' to add-scram")
    if "password" in given:
        return salt_password(mechanism, given["password"], salt, iterations)
    if "salt" not in given:
        raise ScramError("You must supply 'salt' with 'saltedpassword' to add-scram")
    return _decoded(given["saltedpassword"], "saltedpassword")


def _mechanism(name: str) -> ScramMechanism:
    try:
        return ScramMechanism.named(name)
    except ScramError:
        raise ScramError(f"The add-scram mechanism {name} is not supported.") from None


def _iterations(text: str | None, mechanism: ScramMechanism) -> int:
    if text is None:
        return ITERATIONS
    count = int(text) if text.isdecimal() and len(text) < 10 else 0
    bound = None
    if count < ITERATIONS:
        bound = f">= {ITERATIONS}"
    elif count > ITERATIONS_MAX:
        bound = f"<= {ITERATIONS_MAX}"
    if bound is not None:
        raise ScramError(
            f"The 'iterations' value must be {bound} for add-scram using "
            f"SCRAM_{mechanism.name}, not {text}"
        )
    return count


def _decoded(text: str, name: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except Base64Error:
        raise ScramError(f"{name} is not base64") from None


def _hidden(text: str) -> str:
    return re.sub(r"password=[^,\]]*", "password=[hidden]", text)
