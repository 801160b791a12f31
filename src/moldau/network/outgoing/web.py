"""One question to a web server: what an identity provider and its tokens take, of HTTP/1.1.

A connection for each, closed after its answer; those who ask do so once in minutes. The answer is
bounded, has to come in time, and is not followed anywhere else: a redirect is an error, since who
configures where keys come from does not mean any other place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from moldau.config.client_tls import ClientTlsKeys
from moldau.errors import NetworkError
from moldau.network.outgoing.protection import PLAIN, Protection
from moldau.network.outgoing.tls import TlsProtection
from moldau.network.tls.terms import terms_of
from moldau.platform.ports.network import Address, Link, Network, TakeOver
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.platform.ports.tls import TlsError, TlsTerms
from moldau.platform.quick_dataclass import dataclass

__all__ = ["Web", "WebAnswer", "WebError", "check_url", "read_answer", "terms_of_options"]

ANSWER_SIZE_MAX: Final = 1 << 20
HEAD_SIZE_MAX: Final = 64 * 1024
PIECE_SIZE: Final = 16 * 1024
PORTS: Final = {"http": 80, "https": 443}
HEAD_END: Final = b"\r\n\r\n"
_STATUS: Final = re.compile(rb"HTTP/1\.[01] (\d{3})(?: [^\r\n]*)?")
_SIZE: Final = re.compile(rb"[0-9]{1,9}")
_CHUNK: Final = re.compile(rb"([0-9a-fA-F]{1,8})(?:[ \t]*;[^\r\n]*)?\r\n")
_PRINTABLE: Final = re.compile(r"[\x21-\x7e]+")


class WebError(NetworkError):
    """There is no answer, or none that means anything."""


class WebAnswer(NamedTuple):
    """The answer of a web server."""

    status: int
    body: bytes
    media_type: str = ""


def check_url(url: str) -> SplitResult:
    """Its parts, or `ValueError` with what is wrong with it."""
    parts = urlsplit(url)
    if not _PRINTABLE.fullmatch(url) or parts.scheme not in PORTS or not parts.hostname:
        raise ValueError("it has to be http://HOST/PATH or https://HOST/PATH")
    if parts.username or parts.password:
        raise ValueError("it must not hold a name or a password")
    _ = parts.port  # raises where it is none
    return parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """Asks web servers."""

    network: Network
    tasks: Tasks
    terms: TlsTerms = TlsTerms()
    """Of connections for https: the authorities that the system trusts, unless others are named."""
    connect_timeout_ms: int = 10_000
    read_timeout_ms: int = 10_000
    answer_size_max: int = ANSWER_SIZE_MAX

    async def get(self, url: str, headers: Mapping[str, str] | None = None) -> WebAnswer:
        return await self.ask("GET", url, headers or {}, b"")

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> WebAnswer:
        return await self.ask("POST", url, headers, body)

    async def ask(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes
    ) -> WebAnswer:
        try:
            parts = check_url(url)
        except ValueError as error:
            raise WebError(url, str(error)) from None
        address = Address(parts.hostname or "", parts.port or PORTS[parts.scheme])
        receiver = _AnswerReceiver(self.tasks.promise(), address, self.answer_size_max)
        link = await self._connect(address, parts.scheme, receiver)
        try:
            link.send(_request(method, parts, headers, body))
            async with self.tasks.deadline(self.read_timeout_ms):
                return await receiver.promise.wait()
        except TimeoutError:
            raise WebError(str(address), f"no answer within {self.read_timeout_ms} ms") from None
        finally:
            link.abort()

    async def _connect(self, address: Address, scheme: str, receiver: _AnswerReceiver) -> Link:
        protection = PLAIN if scheme == "http" else self._secured(address)
        made: list[Link] = []

        def take_over(link: Link) -> _AnswerReceiver:
            made.append(link)
            receiver.link = link
            return receiver

        wrapped: TakeOver = protection.wrap(address, take_over)
        try:
            async with self.tasks.deadline(self.connect_timeout_ms):
                await self.network.connect(address, wrapped)
        except TimeoutError:
            text = f"no connection within {self.connect_timeout_ms} ms"
            raise WebError(str(address), text) from None
        return made[0]

    def _secured(self, address: Address) -> Protection:
        try:
            return TlsProtection(self.network.tls(self.terms, is_server=False), PLAIN)
        except TlsError as error:
            raise WebError(str(address), str(error)) from None


def terms_of_options(options: Mapping[str, str]) -> TlsTerms:
    """By the `ssl.` options of a login, which is where Java reads them; or `SettingError`.

    Settings of the same names are for connections between clients and brokers.
    """
    return terms_of(ClientTlsKeys(options))


def _request(method: str, parts: SplitResult, headers: Mapping[str, str], body: bytes) -> bytes:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    given = {
        "Host": parts.netloc,
        "Accept": "application/json",
        "Connection": "close",
        **headers,
    }
    if body:
        given["Content-Length"] = str(len(body))
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {text}" for name, text in given.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


class _AnswerReceiver:
    """Gathers one answer."""

    def __init__(self, promise: Promise[WebAnswer], address: Address, size_max: int) -> None:
        self.promise = promise
        self.link: Link
        self._address = address
        self._size_max = size_max
        self._bytes = bytearray()

    def readable(self) -> None:
        piece = bytearray(PIECE_SIZE)
        while size := self.link.receive_into(piece):
            self._bytes += piece[:size]
            if len(self._bytes) > self._size_max + HEAD_SIZE_MAX:
                self._fail(f"its answer has more than {self._size_max} bytes")
                return
        self._look(is_over=False)

    def all_sent(self) -> None:
        """The request is small."""

    def lost(self, reason: str) -> None:
        self._look(is_over=True)
        self._fail(f"the connection ended: {reason}")

    def _look(self, *, is_over: bool) -> None:
        try:
            answer = read_answer(bytes(self._bytes), is_over=is_over)
        except ValueError as error:
            self._fail(str(error))
            return
        if answer is not None and not self.promise.is_settled():
            self.promise.keep(answer)

    def _fail(self, reason: str) -> None:
        if not self.promise.is_settled():
            self.promise.fail(WebError(str(self._address), reason))


def read_answer(received: bytes, *, is_over: bool) -> WebAnswer | None:
    """The answer where it is whole, None where more has to come, `ValueError` where it is none."""
    head, separator, body = received.partition(HEAD_END)
    if not separator:
        if len(received) > HEAD_SIZE_MAX:
            raise ValueError("its answer begins with too many headers")
        return None
    first, *lines = head.split(b"\r\n")
    status = _STATUS.fullmatch(first)
    if status is None:
        raise ValueError("its answer is not HTTP/1.1")
    fields = {
        name.strip().lower(): value.strip() for name, _, value in (x.partition(b":") for x in lines)
    }
    whole = _body(fields, body, is_over=is_over)
    if whole is None:
        return None
    media_type = fields.get(b"content-type", b"").decode("latin-1")
    return WebAnswer(int(status[1]), whole, media_type)


def _body(fields: Mapping[bytes, bytes], received: bytes, *, is_over: bool) -> bytes | None:
    if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
        return _chunks(received)
    if b"content-length" not in fields:
        return received if is_over else None
    if not _SIZE.fullmatch(fields[b"content-length"]):
        raise ValueError("its answer has no sensible Content-Length")
    size = int(fields[b"content-length"])
    return received[:size] if len(received) >= size else None


def _chunks(received: bytes) -> bytes | None:
    found, at = bytearray(), 0
    while match := _CHUNK.match(received, at):
        size = int(match[1], 16)
        if not size:
            return bytes(found)
        at = match.end() + size + 2
        if at > len(received):
            return None
        found += received[match.end() : at - 2]
    if b"\r\n" in received[at:]:
        raise ValueError("its answer has a chunk without a size")
    return None
