"""SASL on a fresh outgoing connection: a mechanism is chosen, then its tokens go to and fro.

    SaslHandshake v1 ─► SaslAuthenticate v1 ... ─► the mechanism is content on both sides

Both versions are understood by every broker since Kafka 2.2. A session that the broker limits
(`connections.max.reauth.ms`) is not prolonged: the connection ends with it, and the next request
makes another one.
"""

from __future__ import annotations

from collections.abc import Callable

from moldau.errors import DecodeError, KafkaError, NetworkError
from moldau.network.outgoing.peer import Peer
from moldau.network.sasl.dialogue import Asking, SaslError
from moldau.network.sasl.jaas import JaasLogin
from moldau.network.sasl.plain import PLAIN, ask_plain
from moldau.network.sasl.scram import ask_scram
from moldau.network.sasl.scram_keys import ScramMechanism
from moldau.platform.ports.network import Address, TakeOver
from moldau.platform.ports.randomness import Random
from moldau.protocol.messages.security.sasl_authenticate import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
)
from moldau.protocol.messages.security.sasl_handshake import (
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["MECHANISMS", "SaslLogin", "sasl_login"]

VERSION = 1
SCRAMS = {mechanism.sasl_name: mechanism for mechanism in ScramMechanism}
MECHANISMS = (PLAIN, *SCRAMS)
"""Those that need nothing but what the login has."""


class SaslLogin:
    """A `Protection` that logs in and changes no bytes."""

    doubt = "; does that listener want TLS, or no login?"

    def __init__(self, mechanism: str, begin: Callable[[], Asking]) -> None:
        self.mechanism = mechanism
        self._begin = begin

    def __repr__(self) -> str:
        return f"SaslLogin({self.mechanism})"

    def wrap(self, address: Address, take_over: TakeOver) -> TakeOver:
        return take_over

    async def authenticate(self, peer: Peer) -> None:
        try:
            await self._choose(peer)
            await self._converse(peer)
        except (DecodeError, SaslError) as error:
            reason = f"the login by {self.mechanism} failed: {error}"
            raise NetworkError(str(peer.address), reason) from error

    async def begin(self, address: Address) -> Asking:
        """Our side of the dialogue; a mechanism may have to fetch something for it."""
        return self._begin()

    async def _choose(self, peer: Peer) -> None:
        request = SaslHandshakeRequest(mechanism=self.mechanism)
        body = await peer.ask(request, VERSION, SaslHandshakeResponse).wait()
        answer = decode(SaslHandshakeResponse, VERSION, body)
        if answer.error_code:
            offered = ", ".join(answer.mechanisms) or "none"
            text = f"{peer.address} has no mechanism {self.mechanism}; it offers {offered}"
            raise KafkaError(answer.error_code, text)

    async def _converse(self, peer: Peer) -> None:
        dialogue = await self.begin(peer.address)
        token = next(dialogue)
        is_over = False
        while not is_over:
            challenge = await self._exchange(peer, token)
            try:
                token = dialogue.send(challenge)
            except StopIteration:
                is_over = True

    async def _exchange(self, peer: Peer, token: bytes) -> bytes:
        request = SaslAuthenticateRequest(auth_bytes=token)
        body = await peer.ask(request, VERSION, SaslAuthenticateResponse).wait()
        answer = decode(SaslAuthenticateResponse, VERSION, body)
        if answer.error_code:
            text = answer.error_message or ErrorCode.read(answer.error_code).message
            raise KafkaError(answer.error_code, f"{peer.address}: {text}")
        return bytes(answer.auth_bytes)


def sasl_login(mechanism: str, login: JaasLogin, random: Random) -> SaslLogin:
    """By `username` and `password` of the options; `SaslError` where something is missing."""
    name, password = login.options.get("username"), login.options.get("password")
    if not name or not password:
        raise SaslError(f"the login of {mechanism} needs username and password")
    if mechanism == PLAIN:
        return SaslLogin(mechanism, lambda: ask_plain(name, password))
    if mechanism not in SCRAMS:
        raise SaslError(f"the mechanism {mechanism} is not one of {', '.join(MECHANISMS)}")
    is_token = login.options.get("tokenauth", "").lower() == "true"
    scram = SCRAMS[mechanism]
    return SaslLogin(mechanism, lambda: ask_scram(scram, name, password, random, is_token=is_token))
