"""Assertions: tokens that a client shows to its identity provider to be given one (RFC 7523).

    sasl.oauthbearer.assertion.file               a ready one, which another program keeps fresh
    sasl.oauthbearer.assertion.private.key.file   what a new one is signed with for each question
    sasl.oauthbearer.assertion.claim...           what stands in it
    sasl.oauthbearer.assertion.template.file      more of that: {"header": {...}, "payload": {...}}

As in Kafka the file's claims replace those of settings, and times and the algorithm those of the
file. Files are read each time, so that keys change without a restart.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple, Protocol

from moldau.config.broker.oauth import TokenLoginKeys
from moldau.errors import MoldauError
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.oauth.jwt import JwtError, read_object
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files, read_whole
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.wire.uuids import new_uuid

__all__ = ["AssertionFile", "AssertionSource", "SignedAssertions", "assertions_of"]

SIGNING: Final = "moldau.network.sasl.oauth.signing"
"""Imported with the first assertion, for `cryptography` takes a while."""
FILE: Final = "sasl.oauthbearer.assertion.file"
KEY: Final = "sasl.oauthbearer.assertion.private.key.file"
TEMPLATE: Final = "sasl.oauthbearer.assertion.template.file"
SECTIONS: Final = ("header", "payload")
MS_PER_S: Final = 1000


class AssertionSource(Protocol):
    """Where an assertion comes from."""

    async def make(self) -> str:
        """One to be shown now, or a `MoldauError` that shows nothing secret."""
        ...


class AssertionFile(NamedTuple):
    """A ready one."""

    files: Files
    tasks: Tasks
    path: str

    async def make(self) -> str:
        data = await self.tasks.offload(read_whole, self.files, self.path)
        try:
            return data.decode("ascii").strip()
        except UnicodeDecodeError:
            raise MoldauError(f"{self.path} holds no assertion ({FILE})") from None


class SignedAssertions(NamedTuple):
    """Made and signed here."""

    files: Files
    tasks: Tasks
    clock: Clock
    random: Random
    settings: TokenLoginKeys
    key_path: str

    def __repr__(self) -> str:
        return f"SignedAssertions(by {self.key_path})"

    async def make(self) -> str:
        return await self.tasks.offload(self._made)

    def _made(self) -> str:
        header, claims = self._template()
        key = read_whole(self.files, self.key_path)
        given = self.settings
        header |= {"alg": given.sasl_oauthbearer_assertion_algorithm.upper(), "typ": "JWT"}
        passphrase = given.sasl_oauthbearer_assertion_private_key_passphrase
        text: str = import_module(SIGNING).sign_jwt(
            header, {**self._fixed(), **claims, **self._times()}, key, passphrase
        )
        return text

    def _fixed(self) -> dict[str, str]:
        given = self.settings
        claims = {
            "aud": given.sasl_oauthbearer_assertion_claim_aud,
            "iss": given.sasl_oauthbearer_assertion_claim_iss,
            "sub": given.sasl_oauthbearer_assertion_claim_sub,
        }
        return {name: value for name, value in claims.items() if value is not None}

    def _times(self) -> dict[str, object]:
        given, now_s = self.settings, self.clock.now_ms() // MS_PER_S
        claims: dict[str, object] = {
            "iat": now_s,
            "exp": now_s + given.sasl_oauthbearer_assertion_claim_exp_seconds,
            "nbf": now_s - given.sasl_oauthbearer_assertion_claim_nbf_seconds,
        }
        if given.sasl_oauthbearer_assertion_claim_jti_include:
            claims["jti"] = _with_dashes(new_uuid(self.random).hex())
        return claims

    def _template(self) -> tuple[dict[str, Any], dict[str, Any]]:
        path = self.settings.sasl_oauthbearer_assertion_template_file
        found: Mapping[str, Any] = {}
        if path is not None:
            try:
                found = read_object(read_whole(self.files, path), "template")
            except JwtError as error:
                raise SaslError(f"{TEMPLATE} is {path}: {error}") from None
        header, claims = (found.get(name) or {} for name in SECTIONS)
        if not isinstance(header, dict) or not isinstance(claims, dict):
            raise SaslError(f"{TEMPLATE} is {path}, whose header or payload is no object of JSON")
        return dict(header), dict(claims)


def assertions_of(
    settings: TokenLoginKeys, files: Files | None, tasks: Tasks, clock: Clock, random: Random
) -> AssertionSource:
    """The file, if there is one, as in Kafka; or `SaslError`."""
    path = settings.sasl_oauthbearer_assertion_file
    key = settings.sasl_oauthbearer_assertion_private_key_file
    if files is None:
        raise SaslError(f"{FILE} and {KEY}: files are not read here")
    if path is not None:
        return AssertionFile(files, tasks, path)
    if key is None:
        raise SaslError(f"a login by an assertion needs {FILE} or {KEY}")
    return SignedAssertions(files, tasks, clock, random, settings, key)


def _with_dashes(digits: str) -> str:
    """As RFC 9562 writes the 32 digits of an id."""
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
