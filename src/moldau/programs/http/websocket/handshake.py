"""The handshake (RFC 6455, 4.2): a GET that becomes a socket, or a refusal as for any request."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from hashlib import sha1
from typing import Final

from moldau.programs.http.messages import HttpError, Request, Response, Upgrade

__all__ = ["accept_of", "upgraded", "wants_socket"]

GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
VERSION: Final = "13"
KEY_SIZE: Final = 16
SWITCHING: Final = 101
UPGRADE_REQUIRED: Final = 426


def wants_socket(request: Request) -> bool:
    return "websocket" in _words(request, "upgrade")


def upgraded(request: Request, upgrade: Upgrade) -> Response:
    """The response after which the connection is a socket; 400 or 426 for what is no handshake."""
    is_asked = wants_socket(request) and "upgrade" in _words(request, "connection")
    if not is_asked or request.method != "GET" or not request.is_chunkable:
        raise HttpError(UPGRADE_REQUIRED, "this path is a WebSocket: ask for it by Upgrade")
    if request.headers.get("sec-websocket-version") != VERSION:
        raise HttpError(UPGRADE_REQUIRED, f"the version of WebSocket is {VERSION}")
    key = request.headers.get("sec-websocket-key", "")
    if not _is_key(key):
        raise HttpError(400, f"Sec-WebSocket-Key has {KEY_SIZE} bytes in base64")
    headers = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Accept": accept_of(key),
    }
    return Response(status=SWITCHING, headers=headers, upgrade=upgrade)


def accept_of(key: str) -> str:
    """What shows the client that its handshake was understood."""
    return b64encode(sha1(key.encode() + GUID, usedforsecurity=False).digest()).decode()


def _words(request: Request, name: str) -> list[str]:
    return [word.strip().lower() for word in request.headers.get(name, "").split(",")]


def _is_key(text: str) -> bool:
    try:
        return len(b64decode(text, validate=True)) == KEY_SIZE
    except (Base64Error, ValueError):
        return False
