"""Settings, of topics, brokers, groups and client metrics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from moldau.client.core import admin as calls
from moldau.client.core.admin.choices import ResourceType
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.sync.admin.asking import Asking

if TYPE_CHECKING:
    from moldau.client.core.admin.configs import (
        AnyResource,
        ChangesGiven,
        ConfigEntry,
        ConfigResource,
    )

__all__ = ["ConfigCalls"]


class ConfigCalls(Asking):
    """What is set."""

    def describe_configs(
        self,
        resources: AnyResource | Iterable[AnyResource],
        *,
        names: Iterable[str] | None = None,
        synonyms: bool = False,
        documentation: bool = False,
    ) -> Outcomes[ConfigResource, dict[str, ConfigEntry]]:
        """Settings by name, all of them or those that are named."""
        return self._hold(
            calls.describe_configs(
                self._call(),
                resources,
                names=names,
                synonyms=synonyms,
                documentation=documentation,
            )
        )

    def incremental_alter_configs(
        self, changes: ChangesGiven, *, validate_only: bool = False
    ) -> Outcomes[ConfigResource, None]:
        """Set, delete, append to and subtract from single settings of resources."""
        return self._hold(
            calls.incremental_alter_configs(self._call(), changes, validate_only=validate_only)
        )

    def list_config_resources(
        self, types: Iterable[ResourceType | str] | None = None
    ) -> list[ConfigResource]:
        """Which resources have settings, of these types or of all."""
        return self._hold(calls.list_config_resources(self._call(), types))

    def list_client_metrics_resources(self) -> list[str]:
        """The names of the subscriptions to clients' metrics (KIP-714)."""
        found = self.list_config_resources([ResourceType.CLIENT_METRICS])
        return [resource.name for resource in found]
