"""A handshake in memory: whether two sets of terms could meet as server and client.

Kafka tries the former and the new terms of the listener between brokers like this, each as server
of the other, before it takes new ones: brokers that have not changed yet must still reach this one,
and be reached by it. Names are not looked at, for there is no host.
"""

from __future__ import annotations

import ssl
from typing import Final

from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.reasons import reason_of

__all__ = ["try_handshake"]

TURNS_MAX: Final = 10
"""More than any handshake has."""


def try_handshake(server: ssl.SSLContext, client: ssl.SSLContext) -> None:
    """Let both ends shake hands, or raise `TlsError` with the reason."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    waiting = [
        client.wrap_bio(to_client, to_server),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    for _ in range(TURNS_MAX):
        waiting = [engine for engine in waiting if not _has_ended(engine)]
        if not waiting:
            return
    raise TlsError("the handshake does not end")


def _has_ended(engine: ssl.SSLObject) -> bool:
    try:
        engine.do_handshake()
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError as error:
        whose = "as server" if engine.server_side else "as client"
        raise TlsError(f"{whose}, {reason_of(error)}") from None
    return True
