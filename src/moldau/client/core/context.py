"""What all dialogues of one client share: its view of the cluster, settings, randomness."""

from __future__ import annotations

from moldau.client.core.cluster import Cluster
from moldau.client.core.retry_deadline import RetryDeadline
from moldau.client.core.telemetry.meter import Meter
from moldau.client.settings.client import ClientSettings
from moldau.network.outgoing.backoff import Backoff
from moldau.platform.ports.randomness import Random

__all__ = ["ClientContext"]


class ClientContext:
    """Made once for a client."""

    def __init__(
        self, settings: ClientSettings, random: Random, *, creates_topics: bool = False
    ) -> None:
        self.settings = settings
        self.creates_topics = creates_topics
        """Whether brokers may create a topic that is looked up and not there."""
        self.random = random
        self.cluster = Cluster(settings.metadata_max_age_ms)
        self.meter = Meter()
        self.coordinators: dict[tuple[int, str], int] = {}
        """The broker that coordinates a group or a transactional id, by type and name."""
        self.backoff = Backoff(random, settings.retry_backoff_ms, settings.retry_backoff_max_ms)

    def deadline(self, what: str, now_ms: int, timeout_ms: int | None = None) -> RetryDeadline:
        """For one call of the user, of the usual length unless another is given."""
        if timeout_ms is None:
            timeout_ms = self.settings.default_api_timeout_ms
        return RetryDeadline(what, now_ms, timeout_ms, self.backoff)
