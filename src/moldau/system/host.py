"""What this machine is called."""

from __future__ import annotations

import socket

__all__ = ["host_name"]


def host_name() -> str:
    """The name under which others may find it, as far as it knows."""
    return socket.gethostname()
