"""Settings, of topics, brokers, groups and client metrics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from moldau.client.aio.admin.asking import AsyncAsking
from moldau.client.core import admin as calls
from moldau.client.core.admin.choices import ResourceType
from moldau.client.core.admin.outcomes import Outcomes

if TYPE_CHECKING:
    from moldau.client.core.admin.configs import (
        AnyResource,
        ChangesGiven,
        ConfigEntry,
        ConfigResource,
    )

__all__ = ["AsyncConfigCalls"]


class AsyncConfigCalls(AsyncAsking):
    """What is set."""

    async def describe_configs(
        self,
        resources: AnyResource | Iterable[AnyResource],
        *,
        names: Iterable[str] | None = None,
        synonyms: bool = False,
        documentation: bool = False,
    ) -> Outcomes[ConfigResource, dict[str, ConfigEntry]]:
        """Settings by name, all of them or those that are named."""
        return await self._hold(
            calls.describe_configs(
                self._call(),
                resources,
                names=names,
                synonyms=synonyms,
                documentation=documentation,
            )
        )

    async def incremental_alter_configs(
        self, changes: ChangesGiven, *, validate_only: bool = False
    ) -> Outcomes[ConfigResource, None]:
        """Set, delete, append to and subtract from single settings of resources."""
        return await self._hold(
            calls.incremental_alter_configs(self._call(), changes, validate_only=validate_only)
        )

    async def list_config_resources(
        self, types: Iterable[ResourceType | str] | None = None
    ) -> list[ConfigResource]:
        """Which resources have settings, of these types or of all."""
        return await self._hold(calls.list_config_resources(self._call(), types))

    async def list_client_metrics_resources(self) -> list[str]:
        """The names of the subscriptions to clients' metrics (KIP-714)."""
        found = await self.list_config_resources([ResourceType.CLIENT_METRICS])
        return [resource.name for resource in found]
