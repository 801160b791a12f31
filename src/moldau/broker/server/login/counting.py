"""How many logins and handshakes of TLS came to an identity, and how many did not."""

from __future__ import annotations

from typing import Final

from moldau.broker.metrics.registry import Registry

__all__ = ["FAILED", "GROUP", "KIND", "SUCCEEDED", "SUCCEEDED_AGAIN", "count_login"]

GROUP: Final = "kafka.server"
KIND: Final = "socket-server-metrics"
SUCCEEDED: Final = "successful-authentication-total"
SUCCEEDED_AGAIN: Final = "successful-reauthentication-total"
FAILED: Final = "failed-authentication-total"


def count_login(metrics: Registry, listener: str, outcome: str) -> None:
    metrics.meter(GROUP, KIND, outcome, listener=listener).mark()
