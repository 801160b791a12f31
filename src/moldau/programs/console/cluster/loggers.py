"""The loggers of a broker with their levels."""

from __future__ import annotations

from moldau.client.admin import ConfigResource, ResourceType
from moldau.programs.console.api.forms import broker_in_path
from moldau.programs.console.api.operations import Operation
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["LoggerPages", "levels_of", "loggers_of_broker"]


class LoggerPages:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def operations(self) -> list[Operation]:
        path = "/api/brokers/{broker}/loggers"
        return [Operation("GET", path, self.list, "Levels of a broker's loggers")]

    async def list(self, request: Request) -> Response:
        broker = broker_in_path(request)
        levels = await levels_of(self._reach, broker)
        return reply([{"logger": name, "level": levels[name]} for name in sorted(levels)])


def loggers_of_broker(broker: int) -> ConfigResource:
    return ConfigResource(ResourceType.BROKER_LOGGER, str(broker))


async def levels_of(reach: Reach, broker: int) -> dict[str, str]:
    """By the names of loggers; a broker that does not run has none to show."""
    serving = (await reach.admin.describe_cluster()).nodes
    if broker not in [node.node_id for node in serving]:
        raise HttpError(404, f"No broker {broker} serves: the page Cluster has those that do")
    resource = loggers_of_broker(broker)
    entries = (await reach.admin.describe_configs(resource))[resource]
    return {name: entry.value or "" for name, entry in entries.items()}
