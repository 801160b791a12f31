"""Ports of this machine that are free."""

from __future__ import annotations

import socket
from contextlib import ExitStack

__all__ = ["free_ports"]


def free_ports(count: int, host: str) -> list[int]:
    """As many different ones, free a moment ago: another program may take one meanwhile."""
    with ExitStack() as stack:
        taken = [stack.enter_context(socket.create_server((host, 0))) for _ in range(count)]
        return [int(one.getsockname()[1]) for one in taken]
