"""As much of RFC 6455 as a server needs that only sends: the handshake, and frames of text."""

from __future__ import annotations

import base64
import hashlib
import struct

MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
WHOLE_TEXT = 0x81
SHORT, TWO_BYTES, EIGHT_BYTES = 125, 126, 127


def accept(key: str) -> dict[str, str]:
    """The headers that switch the connection over."""
    digest = hashlib.sha1((key + MAGIC).encode(), usedforsecurity=False).digest()
    answer = base64.b64encode(digest).decode()
    return {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": answer}


def text_frame(text: str) -> bytes:
    """One frame, unmasked, as servers send them."""
    data = text.encode()
    size = len(data)
    if size <= SHORT:
        head = struct.pack(">BB", WHOLE_TEXT, size)
    elif size < 1 << 16:
        head = struct.pack(">BBH", WHOLE_TEXT, TWO_BYTES, size)
    else:
        head = struct.pack(">BBQ", WHOLE_TEXT, EIGHT_BYTES, size)
    return head + data
