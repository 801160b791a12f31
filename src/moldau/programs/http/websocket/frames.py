"""Bytes to messages and back (RFC 6455, 5): frames, masks, fragments, and the rules between them.

    byte 0      FIN, three reserved bits, opcode
    byte 1      MASK, length: 0 to 125, or 126 and two bytes more, or 127 and eight bytes more
    4 bytes     the mask, where MASK is set: always from a client, never from a server
    payload

`feed` takes what came, `next_event` gives what is whole. A message may come in fragments, and
pings, pongs and a close between them. What breaks a rule is a `WebSocketError` with the code with
which the socket is closed; where the next frame begins does not matter any more then. A length is
held against its bound before anything is kept for it, and fragments are kept as one buffer, so
that any number of empty ones takes no memory.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from moldau.errors import MoldauError
from moldau.platform.buffers import Buffer

__all__ = [
    "Close",
    "CloseCode",
    "Event",
    "FrameReader",
    "Message",
    "Opcode",
    "Ping",
    "Pong",
    "WebSocketError",
    "close_frame",
    "frame",
]

FIN: Final = 0x80
RESERVED: Final = 0x70
OPCODE: Final = 0x0F
CONTROL: Final = 0x08
MASK: Final = 0x80
LENGTH: Final = 0x7F
MASK_SIZE: Final = 4
CONTROL_BYTES_MAX: Final = 125
TWO_BYTES: Final = 126
EIGHT_BYTES: Final = 127
TWO_BYTES_MAX: Final = 0xFFFF


class Opcode(IntEnum):
    """The kind of a frame."""

    CONTINUATION = 0x0
    TEXT = 0x1
    BINARY = 0x2
    CLOSE = 0x8
    PING = 0x9
    PONG = 0xA


OPCODES: Final = {int(one): one for one in Opcode}


class CloseCode(IntEnum):
    """Why a socket ends."""

    NORMAL = 1000
    GOING_AWAY = 1001
    PROTOCOL_ERROR = 1002
    UNSUPPORTED_DATA = 1003
    NO_STATUS = 1005
    """Never sent: it stands for a close without a code."""
    INVALID_DATA = 1007
    POLICY_VIOLATION = 1008
    TOO_BIG = 1009
    INTERNAL_ERROR = 1011


SENDABLE: Final = frozenset({*range(1000, 1004), *range(1007, 1015), *range(3000, 5000)})
"""Codes that a close may have: those of the RFC and its registry, libraries, and programs."""


class WebSocketError(MoldauError):
    """The peer broke a rule, and the socket is closed with this code."""

    def __init__(self, code: CloseCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class Message(NamedTuple):
    """Whole, whatever fragments it came in."""

    data: str | bytes
    """Text where it was sent as text."""


class Ping(NamedTuple):
    payload: bytes


class Pong(NamedTuple):
    payload: bytes


class Close(NamedTuple):
    code: int
    reason: str


Event: TypeAlias = Message | Ping | Pong | Close


class _Head(NamedTuple):
    """The head of a frame, and where its payload begins."""

    is_final: bool
    opcode: Opcode
    size: int
    mask: bytes
    start: int


class FrameReader:
    """Reads the frames of a socket; `masked` is True for frames of a client."""

    def __init__(self, message_bytes_max: int, *, masked: bool = True) -> None:
        self._bytes_max = message_bytes_max
        self._masked = masked
        self._buffer = bytearray()
        self._opcode: Opcode | None = None
        """Of the message whose first fragment has come and whose last one has not."""
        self._fragments = bytearray()
        self._is_closed = False

    def feed(self, data: Buffer) -> None:
        if not self._is_closed:
            self._buffer += data

    def next_event(self) -> Event | None:
        """The next one that is whole, or None where more has to come; nothing after a close."""
        while not self._is_closed and (head := self._head()) is not None:
            end = head.start + head.size
            if len(self._buffer) < end:
                return None
            payload = _masked(bytes(self._buffer[head.start : end]), head.mask)
            del self._buffer[:end]
            event = self._event(head, payload)
            if event is not None:
                return event
        return None

    def _head(self) -> _Head | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        opcode = self._checked(buffer[0], buffer[1])
        size, start = buffer[1] & LENGTH, 2
        if size >= TWO_BYTES:
            start += 2 if size == TWO_BYTES else 8
            if len(buffer) < start:
                return None
            size = _long_size(int.from_bytes(buffer[2:start]), start)
        self._check_size(opcode, size)
        if not self._masked:
            return _Head(bool(buffer[0] & FIN), opcode, size, b"", start)
        mask = bytes(buffer[start : start + MASK_SIZE])
        if len(mask) < MASK_SIZE:
            return None
        return _Head(bool(buffer[0] & FIN), opcode, size, mask, start + MASK_SIZE)

    def _checked(self, first: int, second: int) -> Opcode:
        """The opcode, where it may be here."""
        if first & RESERVED:
            raise _broken("a reserved bit is set, and no extension was agreed on")
        opcode = OPCODES.get(first & OPCODE)
        if opcode is None:
            raise _broken(f"there is no opcode {first & OPCODE}")
        if bool(second & MASK) is not self._masked:
            raise _broken("frames of a client have a mask, and those of a server have none")
        if opcode & CONTROL:
            if not first & FIN or second & LENGTH > CONTROL_BYTES_MAX:
                raise _broken(f"a control frame is whole and has up to {CONTROL_BYTES_MAX} bytes")
        elif (opcode is Opcode.CONTINUATION) is (self._opcode is None):
            raise _broken("fragments of one message come one behind the other")
        return opcode

    def _check_size(self, opcode: Opcode, size: int) -> None:
        if not opcode & CONTROL and len(self._fragments) + size > self._bytes_max:
            text = f"a message has up to {self._bytes_max} bytes"
            raise WebSocketError(CloseCode.TOO_BIG, text)

    def _event(self, head: _Head, payload: bytes) -> Event | None:
        """None behind a fragment that is not the last one."""
        if head.opcode & CONTROL:
            return self._control(head.opcode, payload)
        opcode = head.opcode if self._opcode is None else self._opcode
        if not head.is_final:
            self._opcode = opcode
            self._fragments += payload
            return None
        if self._opcode is not None:
            payload = bytes(self._fragments + payload)
            self._opcode = None
            self._fragments.clear()
        return Message(_text(payload) if opcode is Opcode.TEXT else payload)

    def _control(self, opcode: Opcode, payload: bytes) -> Event:
        if opcode is Opcode.PING:
            return Ping(payload)
        if opcode is Opcode.PONG:
            return Pong(payload)
        self._is_closed = True
        self._buffer.clear()
        return _close_of(payload)


def frame(opcode: Opcode, payload: bytes, mask: bytes = b"") -> bytes:
    """A whole message or control frame; with a mask as a client sends it."""
    size, masks = len(payload), MASK if mask else 0
    if size < TWO_BYTES:
        head = bytes((FIN | opcode, masks | size))
    elif size <= TWO_BYTES_MAX:
        head = bytes((FIN | opcode, masks | TWO_BYTES)) + size.to_bytes(2)
    else:
        head = bytes((FIN | opcode, masks | EIGHT_BYTES)) + size.to_bytes(8)
    return head + mask + _masked(payload, mask)


def close_frame(code: int, reason: str = "") -> bytes:
    """Without a payload for `NO_STATUS`; the reason is cut to what has room."""
    if code == CloseCode.NO_STATUS:
        return frame(Opcode.CLOSE, b"")
    room = reason.encode("utf-8", "replace")[: CONTROL_BYTES_MAX - 2].decode("utf-8", "ignore")
    return frame(Opcode.CLOSE, code.to_bytes(2) + room.encode())


def _masked(data: bytes, mask: bytes) -> bytes:
    """Both ways, as one number: a loop over bytes would cost a hundred times as much."""
    if not mask or not data:
        return data
    key = (mask * (len(data) // MASK_SIZE + 1))[: len(data)]
    return (int.from_bytes(data) ^ int.from_bytes(key)).to_bytes(len(data))


def _long_size(size: int, start: int) -> int:
    """Of a length in two or eight bytes, which has to need them."""
    is_short = start == 4
    least = TWO_BYTES if is_short else TWO_BYTES_MAX + 1
    if size < least or size >= 2**63:
        raise _broken("a length is written in as few bytes as it needs, and below 2^63")
    return size


def _close_of(payload: bytes) -> Close:
    if not payload:
        return Close(CloseCode.NO_STATUS, "")
    code = int.from_bytes(payload[:2])
    if len(payload) < 2 or code not in SENDABLE:
        raise _broken("a close has a code of two bytes that may be sent")
    return Close(code, _text(payload[2:]))


def _text(payload: bytes) -> str:
    try:
        return payload.decode()
    except UnicodeDecodeError:
        raise WebSocketError(CloseCode.INVALID_DATA, "a text is UTF-8") from None


def _broken(message: str) -> WebSocketError:
    return WebSocketError(CloseCode.PROTOCOL_ERROR, message)
