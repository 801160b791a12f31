"""How many logins and handshakes of TLS came to an identity, and how many did not.

Kafka's names. A listener of SSL counts a connection with its first request, when its handshake has
been good and its certificate has given a principal; it cannot log in again.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    "begin_counting",
    "count_login",
]

GROUP: Final = "kafka.server"
KIND: Final = "socket-server-metrics"
SUCCEEDED: Final = "successful-authentication-total"
SUCCEEDED_AGAIN: Final = "successful-reauthentication-total"
SUCCEEDED_ONCE: Final = "successful-authentication-no-reauth-total"
FAILED: Final = "failed-authentication-total"
FAILED_AGAIN: Final = "failed-reauthentication-total"
OUTCOMES: Final = (SUCCEEDED, SUCCEEDED_AGAIN, SUCCEEDED_ONCE, FAILED, FAILED_AGAIN)


def begin_counting(metrics: Registry, listeners: Iterable[str]) -> None:
    """All are 0 at first, and are shown."""
    for listener in listeners:
        for outcome in OUTCOMES:
            metrics.meter(GROUP, KIND, outcome, listener=listener)


def count_login(metrics: Registry, listener: str, outcome: str) -> None:
    metrics.meter(GROUP, KIND, outcome, listener=listener).mark()
