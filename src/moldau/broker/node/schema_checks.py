"""What holds records against schemas; made when a topic first asks for it.

A registry that runs in the same process is looked into directly. Otherwise it is the one of
`confluent.schema.registry.url`, asked by HTTP.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau.broker.node.world import NodeWorld
from moldau.broker.server.produce.schemas.checks import SchemaChecks
from moldau.broker.server.produce.schemas.registry import WebSchemas
from moldau.config.broker.settings import BrokerSettings
from moldau.schemas.known import SchemaLookup

if TYPE_CHECKING:
    from moldau.broker.node.node import Node

__all__ = ["schema_checks"]


def schema_checks(node: Node, world: NodeWorld) -> SchemaChecks:
    """Of a node, as its settings are at the time."""
    by_url: dict[BrokerSettings, WebSchemas] = {}

    def lookup() -> SchemaLookup | None:
        settings = node.settings
        if node.schemas is not None or not settings.confluent_schema_registry_url:
            return node.schemas
        if settings not in by_url:
            by_url.clear()
            by_url[settings] = WebSchemas(settings, world.network, world.tasks)
        return by_url[settings]

    return SchemaChecks(world.clock, lookup)
