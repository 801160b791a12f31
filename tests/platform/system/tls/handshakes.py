"""Handshakes of two contexts, in memory."""

from __future__ import annotations

import ssl
from contextlib import suppress
from typing import Any

FLIGHTS = 4
"""More than any version of TLS needs."""


def shaken_hands(server: ssl.SSLContext, client: ssl.SSLContext, name: str = "localhost") -> Any:
    """The end of the client, which has asked for this name."""
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    accepting = server.wrap_bio(there, back, server_side=True)
    asking = client.wrap_bio(back, there, server_hostname=name)
    for _ in range(FLIGHTS):
        for end in (asking, accepting):
            with suppress(ssl.SSLWantReadError):
                end.do_handshake()
    return asking
