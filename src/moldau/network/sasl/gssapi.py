"""GSSAPI: Kerberos, between two sides that both know a third (RFC 4752).

    client  a ticket for the service               AP-REQ
    server  and proof that it is the service       AP-REP
    client  nothing
    server  wrapped: layers that it offers         none, since TLS does that
    client  wrapped: the layer that it takes, none

Who it is comes from the ticket; a name that the client writes beside it is not read, as in Kafka.
Tickets, keys and the library that reads them are behind `Kerberos`, and nothing here touches them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from moldau.errors import KerberosError
from moldau.network.sasl.dialogue import Asking, Identity, SaslError, Serving

__all__ = ["GSSAPI", "GssContext", "Kerberos", "ask_gssapi", "serve_gssapi"]

GSSAPI: Final = "GSSAPI"
STEPS_MAX: Final = 8
"""Kerberos takes two."""
NO_LAYER: Final = 1
OFFER: Final = bytes((NO_LAYER, 0, 0, 0))
"""The layers, and the largest wrapped message: there will be none."""


class GssContext(Protocol):
    """One side of a conversation that the library leads."""

    @property
    def is_complete(self) -> bool: ...

    @property
    def initiator(self) -> str:
        """The client's principal, once the context is complete."""
        ...

    def step(self, token: bytes) -> bytes:
        """Our next token; empty where there is none."""
        ...

    def wrap(self, message: bytes) -> bytes: ...

    def unwrap(self, token: bytes) -> bytes: ...


class Kerberos(Protocol):
    """The library, and this machine's keys."""

    def acceptor(self, options: Mapping[str, str]) -> Callable[[], GssContext]:
        """The service's end: `principal` and `keyTab`, as the options of Java's Krb5LoginModule."""
        ...

    def initiator(
        self, options: Mapping[str, str], service: str, host: str
    ) -> Callable[[], GssContext]:
        """Of a client of that service; it may ask the key distribution centre, which blocks."""
        ...


def serve_gssapi(accept: Callable[[], GssContext], local_name: Callable[[str], str]) -> Serving:
    token = yield b""
    try:
        context = accept()
        for _ in range(STEPS_MAX):
            answer = context.step(token)
            if answer or not context.is_complete:
                token = yield answer
            if context.is_complete:
                break
        else:
            raise SaslError(f"the exchange is not over after {STEPS_MAX} steps")
        chosen = context.unwrap((yield context.wrap(OFFER)))
        principal = context.initiator
    except KerberosError as error:
        raise SaslError(str(error)) from error
    if len(chosen) < len(OFFER) or chosen[0] != NO_LAYER:
        raise SaslError("the client wants its messages wrapped; TLS does that")
    return Identity(local_name(principal))


def ask_gssapi(context: GssContext, first: bytes) -> Asking:
    """`first` is the first step's token, since that step may have to wait for others."""
    try:
        challenge = yield first
        for _ in range(STEPS_MAX):
            if context.is_complete:
                break
            challenge = yield context.step(challenge)
        offered = context.unwrap(challenge)
        if not offered or not offered[0] & NO_LAYER:
            raise SaslError("the server wants its messages wrapped; use TLS for that")
        answer = context.wrap(OFFER)
    except KerberosError as error:
        raise SaslError(str(error)) from error
    yield answer
