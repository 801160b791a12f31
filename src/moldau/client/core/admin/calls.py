"""One call of an admin client: what it stands on, and how long it may take."""

from __future__ import annotations

from moldau.client.admin_settings import AdminSettings
from moldau.client.core.ground import Ground
from moldau.client.core.retry_deadline import RetryDeadline
from moldau.platform.ports.randomness import Random

__all__ = ["AdminCall", "AdminGround"]


class AdminGround(Ground):
    """What all calls of one admin client stand on."""

    def __init__(self, settings: AdminSettings, random: Random) -> None:
        super().__init__(settings, random)
        self.uses_controllers = settings.uses_controllers
        """Whether the cluster's nodes are controllers here, and no brokers (KIP-919)."""
        self.controller_id: int | None = None
        """The active controller, where that has to be known."""
        self.cluster_id = ""


class AdminCall:
    """Made when the caller calls."""

    def __init__(self, ground: AdminGround, now_ms: int, timeout_ms: int | None = None) -> None:
        self.ground = ground
        self.now_ms = now_ms
        """As of the last answer."""
        settings = ground.settings
        self.timeout_ms = settings.default_api_timeout_ms if timeout_ms is None else timeout_ms
        self.request_timeout_ms = min(self.timeout_ms, settings.request_timeout_ms)
        """How long a broker may wait for others before it answers."""

    def deadline(self, what: str) -> RetryDeadline:
        return self.ground.deadline(what, self.now_ms, self.timeout_ms)
