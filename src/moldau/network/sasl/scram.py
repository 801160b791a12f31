"""SCRAM-SHA-256 and SCRAM-SHA-512: a password is proved and never sent (RFC 5802, KIP-84).

    client  n,,n=user,r=NONCE                             the first half of the nonce
    server  r=NONCE+MORE,s=SALT,i=ITERATIONS
    client  c=biws,r=NONCE+MORE,p=PROOF                   client key XOR signature of all before
    server  v=SIGNATURE                                   so that the client knows the server, too

Both halves of the nonce are compared, so no message of another login is worth anything. An
unknown name gets a salt too, always the same, and fails where a wrong password does: what a client
sees, and how long it takes, is the same for names that exist and names that do not. A delegation
token is a user whose name is its id and whose password is its HMAC; its client sends
`tokenauth=true` (KIP-48).
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable
from typing import NamedTuple

from moldau.network.sasl.dialogue import Asking, Identity, SaslError, SaslRefusedError, Serving
from moldau.network.sasl.plain import OTHER_ID
from moldau.network.sasl.scram_keys import (
    ITERATIONS,
    ITERATIONS_MAX,
    ScramCredential,
    ScramMechanism,
    client_key_of,
    credential_of,
    salt_password,
)
from moldau.platform.ports.randomness import Random

__all__ = ["Account", "Decoys", "FindAccount", "ask_scram", "serve_scram"]

NONCE_BYTES = 18
SALT_BYTES = 26
_NONCE = r"[\x21-\x2b\x2d-\x7e]+"
_BASE64 = r"[A-Za-z0-9+/]+=*"
_EXTENSIONS = r"(?:,[A-Za-z]+=[^,]*)*"
_CLIENT_FIRST = re.compile(
    rf"(?P<gs2>n,(?:a=(?P<id>[^,]*))?,)(?P<bare>(?:m=[^,]*,)?n=(?P<name>[^,]+),"
    rf"r=(?P<nonce>{_NONCE})(?P<more>{_EXTENSIONS}))"
)
_SERVER_FIRST = re.compile(
    rf"(?:m=[^,]*,)?r=(?P<nonce>{_NONCE}),s=(?P<salt>{_BASE64}),i=(?P<count>[0-9]{{1,9}})"
    rf"{_EXTENSIONS}"
)
_CLIENT_FINAL = re.compile(
    rf"(?P<proved>c=(?P<binding>{_BASE64}),r=(?P<nonce>{_NONCE}){_EXTENSIONS}),p=(?P<proof>{_BASE64})"
)
_SERVER_FINAL = re.compile(rf"v=(?P<signature>{_BASE64}){_EXTENSIONS}")
_NO_NAME = re.compile(r"=(?!2C|3D)")
NO_BINDING = b"n,,"


class Account(NamedTuple):
    """Who logs in with a credential."""

    owner: str
    credential: ScramCredential
    is_token: bool = False
    expires_at_ms: int | None = None


FindAccount = Callable[[str, bool], Account | None]
"""By name, or by a token's id where the second is true."""


class Decoys:
    """Credentials of those who do not exist: the same each time they are asked for."""

    def __init__(self, random: Random) -> None:
        self._key = random.randbytes(32)

    def of(self, mechanism: ScramMechanism, name: str) -> ScramCredential:
        whole = hmac.digest(self._key, f"{mechanism.sasl_name} {name}".encode(), "sha512")
        return credential_of(mechanism, whole[SALT_BYTES:], whole[:SALT_BYTES], ITERATIONS)


def serve_scram(
    mechanism: ScramMechanism, find: FindAccount, decoys: Decoys, random: Random
) -> Serving:
    token = yield b""
    first = _read(_CLIENT_FIRST, token, "first")
    name = _name(first["name"])
    is_by_token = ",tokenauth=true" in first["more"].lower()
    account = find(name, is_by_token)
    if first["id"] not in (None, "", first["name"]):
        raise SaslRefusedError(OTHER_ID)
    credential = decoys.of(mechanism, name) if account is None else account.credential
    nonce = first["nonce"] + _nonce(random)
    offer = f"r={nonce},s={_text(credential.salt)},i={credential.iterations}"
    token = yield offer.encode()
    final = _read(_CLIENT_FINAL, token, "last")
    if not hmac.compare_digest(final["nonce"], nonce):
        raise SaslError("the nonce of the client's last message is not that of this login")
    if _bytes(final["binding"]) not in (first["gs2"].encode(), NO_BINDING):
        raise SaslError("the client binds to a channel that it has not named")
    auth_message = f"{first['bare']},{offer},{final['proved']}".encode()
    if not _is_proof(_bytes(final["proof"]), credential, auth_message) or account is None:
        raise SaslError("no such user, or another password")
    signature = hmac.digest(credential.server_key, auth_message, mechanism.digest)
    return Identity(
        account.owner, account.is_token, account.expires_at_ms, b"v=" + b64encode(signature)
    )


def _is_proof(proof: bytes, credential: ScramCredential, auth_message: bytes) -> bool:
    digest = credential.mechanism.digest
    signature = hmac.digest(credential.stored_key, auth_message, digest)
    client_key = bytes(one ^ other for one, other in zip(proof, signature, strict=False))
    stored_key = hashlib.new(digest, client_key).digest()
    is_known = hmac.compare_digest(stored_key, credential.stored_key)
    return is_known and len(proof) == len(signature)


def ask_scram(
    mechanism: ScramMechanism, name: str, password: str, random: Random, *, is_token: bool = False
) -> Asking:
    extension = ",tokenauth=true" if is_token else ""
    ours = _nonce(random)
    bare = f"n={name.replace('=', '=3D').replace(',', '=2C')},r={ours}{extension}"
    challenge = yield NO_BINDING + bare.encode()
    offer = _read(_SERVER_FIRST, challenge, "first")
    count = int(offer["count"])
    if not offer["nonce"].startswith(ours) or offer["nonce"] == ours:
        raise SaslError("the server's nonce does not go on from ours")
    if not ITERATIONS <= count <= ITERATIONS_MAX:
        text = f"the server asks for {count} iterations; {ITERATIONS} to {ITERATIONS_MAX} are right"
        raise SaslError(text)
    salt = _bytes(offer["salt"])
    salted = salt_password(mechanism, password, salt, count)
    credential = credential_of(mechanism, salted, salt, count)
    proved = f"c={_text(NO_BINDING)},r={offer['nonce']}"
    auth_message = f"{bare},{challenge.decode()},{proved}".encode()
    signature = hmac.digest(credential.stored_key, auth_message, mechanism.digest)
    key = client_key_of(mechanism, salted)
    proof = bytes(one ^ other for one, other in zip(key, signature, strict=True))
    challenge = yield f"{proved},p={_text(proof)}".encode()
    final = _read(_SERVER_FINAL, challenge, "last")
    expected = hmac.digest(credential.server_key, auth_message, mechanism.digest)
    if not hmac.compare_digest(_bytes(final["signature"]), expected):
        raise SaslError("the server does not know the password: it may be another one")


def _read(form: re.Pattern[str], token: bytes, which: str) -> re.Match[str]:
    try:
        match = form.fullmatch(token.decode())
    except UnicodeDecodeError:
        match = None
    if match is None:
        raise SaslError(f"the {which} message of the other side is not one of SCRAM")
    return match


def _name(text: str) -> str:
    if _NO_NAME.search(text):
        raise SaslError("the name has an = that is not written as =3D")
    return text.replace("=2C", ",").replace("=3D", "=")


def _nonce(random: Random) -> str:
    return _text(random.randbytes(NONCE_BYTES))


def _text(plain: bytes) -> str:
    return b64encode(plain).decode()


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except Base64Error:
        raise SaslError("a part of the message is not base64") from None
