"""How many logins and handshakes of TLS came to an identity, and how many did not.

Kafka's names. A listener of SSL counts a connection with its first request, when its handshake has
been good and its certificate has given a principal; it cannot log in again.
"""

from __future__ import annotations

from typing import Final

from moldau.broker.metrics.registry import Registry

__all__ = [
    "FAILED",
    "FAILED_AGAIN",
    "GROUP",
    "KIND",
    "SUCCEEDED",
    "SUCCEEDED_AGAIN",
    "SUCCEEDED_ONCE",
    "count_login",
]

GROUP: Final = "kafka.server"
KIND: Final = "socket-server-metrics"
SUCCEEDED: Final = "successful-authentication-total"
SUCCEEDED_AGAIN: Final = "successful-reauthentication-total"
SUCCEEDED_ONCE: Final = "successful-authentication-no-reauth-total"
FAILED: Final = "failed-authentication-total"
FAILED_AGAIN: Final = "failed-reauthentication-total"


def count_login(metrics: Registry, listener: str, outcome: str) -> None:
    metrics.meter(GROUP, KIND, outcome, listener=listener).mark()
