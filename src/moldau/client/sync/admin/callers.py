"""The admin client of a program with one thread that asks a few things and ends, as tools do."""

from __future__ import annotations

from moldau.client.sync.admin.asking import NAME
from moldau.client.sync.admin.client import Admin
from moldau.client.sync.callers_loop import CallersClientLoop
from moldau.client.sync.client_loop import ClientLoop

__all__ = ["CallersAdmin"]

PLAINTEXT = "PLAINTEXT"


class CallersAdmin(Admin):
    """As `Admin`, but nothing runs between its calls, and asyncio is imported for logins and TLS
    alone; without it a tool has its first output in two thirds of the time.
    """

    def _begin_loop(self) -> ClientLoop:
        if self.settings.security_protocol.upper() == PLAINTEXT:
            return CallersClientLoop(NAME)
        return super()._begin_loop()
