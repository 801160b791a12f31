"""From where this machine is seen by another."""

from __future__ import annotations

import socket

__all__ = ["address_towards", "outward_address"]

FAR = ("198.51.100.1", 9)
"""An address of documentation, which is on no machine: the way to it is the way out."""


def address_towards(host: str, port: int, timeout_s: float) -> str:
    """The address of ours that a connection to that server comes from.

    Raises `OSError` when there is no such connection within the time.
    """
    with socket.create_connection((host, port), timeout=timeout_s) as connection:
        ours: str = connection.getsockname()[0]
        return ours


def outward_address() -> str:
    """The address of ours that connections to far machines come from; loopback, if there is no way.

    Nothing is sent: where a datagram would leave is known when its socket is connected.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(FAR)
        except OSError:
            return "127.0.0.1"
        ours: str = way.getsockname()[0]
        return ours
