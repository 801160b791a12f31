"""One connection until its client has logged in, and again whenever it must (KIP-43, KIP-152).

    ApiVersions, served once ─► SaslHandshake ─► SaslAuthenticate ... ─► logged in
                                       │ version 0: bare tokens ... ────────►│
                                       ▼                  ▼
                                    refused: answered after a pause, then closed

Whatever else comes, or in another order, closes the connection; in place of a token it is
answered with ILLEGAL_SASL_STATE first. Every refusal is the same, and
takes the same time; the log has the reason, and where it came from.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from struct import Struct as Packer
from struct import error as StructError
from typing import TypeVar

from moldau.broker.server.broker import Broker
from moldau.broker.server.login.counting import FAILED, FAILED_AGAIN, SUCCEEDED_ONCE, count_login
from moldau.broker.server.login.listener import SaslListener
from moldau.broker.server.refusing import refusal
from moldau.errors import DecodeError
from moldau.network.connection import Connection, FrameHandler
from moldau.network.principal import Principal
from moldau.network.sasl.dialogue import Identity, SaslError, SaslRefusedError, Serving
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.messages.security.sasl_authenticate import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
)
from moldau.protocol.messages.security.sasl_handshake import (
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from moldau.protocol.wire.compile import decode_prefix, encode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.frame import (
    RequestStart,
    frame_parts,
    read_request_start,
    request_header_version,
    response_header_version,
)
from moldau.protocol.wire.schema import Message

__all__ = ["LoggedIn", "Login"]

log = logging.getLogger(__name__)

USER = "User"
SENDS_HEADERS_SINCE = 1
"""Of SaslHandshake: below it tokens come as frames of their own."""
SESSION_LIFETIME_SINCE = 1
"""Of SaslAuthenticate: its client can log in again before the session ends."""
_SIZE = Packer(">i")

Kind = TypeVar("Kind", bound=Message)
LoggedIn = Callable[["Login", Identity], None]


class Login:
    """The frames of one connection, as long as they are those of a login."""

    __slots__ = (
        "_again", "_broker", "_dialogue", "_has_headers", "_knows_versions", "_listener",
        "_logged_in", "_serve_versions", "connection", "lifetime_ms", "mechanism", "principal",
        "principal_of",
    )  # fmt: skip

    def __init__(
        self,
        connection: Connection,
        listener: SaslListener,
        broker: Broker,
        serve_versions: FrameHandler,
        logged_in: LoggedIn,
        *,
        again: tuple[str, str] | None = None,
    ) -> None:
        self.connection = connection
        self.mechanism = ""
        self._again = again
        """Mechanism and name of the first login: a later one has to have both."""
        self.lifetime_ms: Callable[[Identity], int] = lambda identity: 0
        """How long its session lasts, as the answer has it."""
        self.principal_of: Callable[[Identity], Principal] = _principal_of
        """What a login that has succeeded makes of its peer; or `SaslError`."""
        self.principal: Principal | None = None
        self._listener = listener
        self._broker = broker
        self._serve_versions = serve_versions
        self._logged_in = logged_in
        self._dialogue: Serving | None = None
        self._has_headers = True
        self._knows_versions = again is not None

    def __repr__(self) -> str:
        return f"<Login of {self.connection} by {self.mechanism or 'nothing yet'}>"

    def handle(self, connection: Connection, frame: memoryview) -> None:
        """The next frame of the login."""
        try:
            if self._dialogue is None:
                self._choose(frame)
            elif self._has_headers:
                self._take(frame)
            else:
                self._take_bare(bytes(frame))
        except (DecodeError, StructError, IndexError) as error:
            log.info("Closing %s during its login: %s", connection, error)
            connection.abort()

    # which mechanism

    def _choose(self, frame: memoryview) -> None:
        start = read_request_start(frame)
        if start.api_key == ApiKey.API_VERSIONS and not self._knows_versions:
            # One in a version that is not served is answered so, and asked again in another.
            self._knows_versions = start.api_version in ApiVersionsRequest.VERSIONS
            self._serve_versions(self.connection, frame)
            return
        if start.api_key != ApiKey.SASL_HANDSHAKE:
            raise DecodeError(f"API {start.api_key} where SaslHandshake should come")
        self._handshake(start, _read(SaslHandshakeRequest, start, frame))

    def _handshake(self, start: RequestStart, request: SaslHandshakeRequest) -> None:
        offered = list(self._listener.mechanisms)
        if request.mechanism not in offered:
            answer = SaslHandshakeResponse(
                error_code=ErrorCode.UNSUPPORTED_SASL_MECHANISM, mechanisms=offered
            )
            self._fail(
                f"it asks for the mechanism {request.mechanism!r}", _answer_frame(start, answer)
            )
            return
        self.mechanism = request.mechanism
        self._dialogue = self._listener.serve(self.mechanism)
        self._has_headers = start.api_version >= SENDS_HEADERS_SINCE
        self._reply(start, SaslHandshakeResponse(error_code=ErrorCode.NONE, mechanisms=offered))

    # the mechanism's tokens

    def _take(self, frame: memoryview) -> None:
        start = read_request_start(frame)
        if start.api_key != ApiKey.SASL_AUTHENTICATE:
            self._refuse_other(start, frame)
            return
        token = bytes(_read(SaslAuthenticateRequest, start, frame).auth_bytes)
        self._listener.prepare(self.mechanism, token, partial(self._answer, start, token))

    def _refuse_other(self, start: RequestStart, frame: memoryview) -> None:
        """As Kafka does once a mechanism is chosen; before that it only closes the connection."""
        known = BY_KEY.get(start.api_key)
        if known is None:
            raise DecodeError(f"API {start.api_key} where SaslAuthenticate should come")
        request: Message = _read(known.request, start, frame)
        answer = refusal(request, start.api_version, ErrorCode.ILLEGAL_SASL_STATE, None)
        self._fail(f"API {start.api_key} comes during its login", _answer_frame(start, answer))

    def _answer(self, start: RequestStart, token: bytes) -> None:
        if self.connection.is_over:
            return
        try:
            found = self._advance(token)
        except SaslError as error:
            answer = SaslAuthenticateResponse(
                error_code=ErrorCode.SASL_AUTHENTICATION_FAILED,
                error_message=self._excuse(error),
                auth_bytes=b"",
            )
            self._fail(_reason(error), _answer_frame(start, answer))
            return
        answer = SaslAuthenticateResponse(
            error_code=ErrorCode.NONE, error_message="", auth_bytes=b""
        )
        if isinstance(found, Identity):
            answer.auth_bytes = found.last
            answer.session_lifetime_ms = self.lifetime_ms(found)
            if start.api_version < SESSION_LIFETIME_SINCE:
                self._count_older()
            self._logged_in(self, found)
        else:
            answer.auth_bytes = found
        self._reply(start, answer)

    def _take_bare(self, token: bytes) -> None:
        self._listener.prepare(self.mechanism, token, partial(self._answer_bare, token))

    def _answer_bare(self, token: bytes) -> None:
        if self.connection.is_over:
            return
        try:
            found = self._advance(token)
        except SaslError as error:
            self._fail(_reason(error), None)
            return
        answer = found.last if isinstance(found, Identity) else found
        if isinstance(found, Identity):
            self._count_older()
            self._logged_in(self, found)
        self.connection.reply(_SIZE.pack(len(answer)) + answer)

    def _count_older(self) -> None:
        """A client that knows nothing of logging in again."""
        count_login(self._broker.metrics, self.connection.listener, SUCCEEDED_ONCE)

    def _advance(self, token: bytes) -> bytes | Identity:
        """The next challenge, or the principal."""
        assert self._dialogue is not None, "a mechanism was chosen"
        if self._again is not None and self._again[0] != self.mechanism:
            raise SaslRefusedError(
                f"SASL mechanism '{self.mechanism}' requested by client is not supported for "
                f"re-authentication of mechanism '{self._again[0]}'"
            )
        try:
            return self._dialogue.send(token)
        except StopIteration as end:
            identity: Identity = end.value
        if self._again is not None and self._again[1] != identity.name:
            raise SaslRefusedError(
                f"Cannot change principals during re-authentication from User.{self._again[1]}: "
                f"User.{identity.name}"
            )
        self.principal = self.principal_of(identity)
        return identity

    def _excuse(self, error: SaslError) -> str:
        """What the peer may read: Kafka's sentence, the same where there is no such user."""
        if isinstance(error, SaslRefusedError):
            return str(error)
        what = "authentication" if self._again is None else "re-authentication"
        return (
            f"Authentication failed during {what} due to invalid credentials with SASL mechanism "
            f"{self.mechanism}"
        )

    # answers

    def _reply(self, start: RequestStart, answer: Message) -> None:
        self.connection.reply(_answer_frame(start, answer))

    def _fail(self, reason: str, answer: bytes | None) -> None:
        """Let it wait, send it no more than that, and close."""
        connection = self.connection
        log.info(
            "Failed authentication with %s on %s by %s: %s",
            connection.peer, connection.listener, self.mechanism or "no mechanism", reason,
        )  # fmt: skip
        outcome = FAILED if self._again is None else FAILED_AGAIN
        count_login(self._broker.metrics, connection.listener, outcome)
        if self._broker.audit is not None:
            self._broker.audit.logged_in(
                connection.listener, connection.peer, self.mechanism or "SASL", None, reason
            )

        def close() -> None:
            if answer is not None:
                connection.reply(answer)
            connection.end()

        self._broker.tasks.after(self._listener.failure_delay_ms, close)


def _principal_of(identity: Identity) -> Principal:
    return Principal(USER, identity.name, identity.is_by_token)


def _reason(error: SaslError) -> str:
    return error.reason if isinstance(error, SaslRefusedError) else str(error)


def _read(kind: type[Kind], start: RequestStart, frame: memoryview) -> Kind:
    version = start.api_version
    if version not in kind.VERSIONS:
        raise DecodeError(f"version {version} of {kind.__name__} is not served")
    header_version = request_header_version(kind, version)
    _, position = decode_prefix(RequestHeader, header_version, frame)
    return decode_prefix(kind, version, frame[position:])[0]


def _answer_frame(start: RequestStart, answer: Message) -> bytes:
    header_version = response_header_version(type(answer), start.api_version)
    header = encode(ResponseHeader(correlation_id=start.correlation_id), header_version)
    pieces: list[Buffer] = frame_parts(header, encode(answer, start.api_version))
    return b"".join(pieces)
