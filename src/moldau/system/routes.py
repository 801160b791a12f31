"""From where this machine is seen by another."""

from __future__ import annotations

import socket

__all__ = ["address_towards"]


def address_towards(host: str, port: int, timeout_s: float) -> str:
    """The address of ours that a connection to that server comes from.

    Raises `OSError` when there is no such connection within the time.
    """
    with socket.create_connection((host, port), timeout=timeout_s) as connection:
        ours: str = connection.getsockname()[0]
        return ours
