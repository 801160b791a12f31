"""One call of an admin client: what it stands on, and how long it may take."""

from __future__ import annotations

from moldau.client.core.context import ClientContext
from moldau.client.core.retry_deadline import RetryDeadline
from moldau.client.settings.admin import AdminSettings
from moldau.platform.ports.randomness import Random

__all__ = ["AdminCall", "AdminContext"]


class AdminContext(ClientContext):
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

    def __init__(self, context: AdminContext, now_ms: int, timeout_ms: int | None = None) -> None:
        self.context = context
        self.now_ms = now_ms
        """As of the last answer."""
        settings = context.settings
        self.timeout_ms = settings.default_api_timeout_ms if timeout_ms is None else timeout_ms
        self.request_timeout_ms = min(self.timeout_ms, settings.request_timeout_ms)
        """How long a broker may wait for others before it answers."""

    def deadline(self, what: str) -> RetryDeadline:
        return self.context.deadline(what, self.now_ms, self.timeout_ms)
