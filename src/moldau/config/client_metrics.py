"""The settings of a subscription to clients' metrics (KIP-714)."""

from __future__ import annotations

from moldau.config.key import Scope, integer, names
from moldau.config.settings import Settings


class ClientMetricsSettings(Settings):
    """Which metrics are wanted, how often, of which clients."""

    metrics = names(
        (),
        "Prefixes of the subscribed metrics; empty is none, `*` all.",
        scope=Scope.CLUSTER,
    )
    interval_ms = integer(300_000, "How often clients are to push them.", scope=Scope.CLUSTER)
    match = names((), "Which clients are meant, as selector=pattern.", scope=Scope.CLUSTER)
