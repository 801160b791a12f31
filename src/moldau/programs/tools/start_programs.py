"""What `moldau start` serves beside its node: the registry, Kafka over HTTP, and the console.

It reaches the node as any client does, through the listener for clients. Where that one asks for
TLS or a login, `--client-config` names a file with the settings of a client.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from moldau.client.schemas.settings import RegistrySettings
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.tasks import Tasks
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import properties_of
from moldau.programs.tools.serving import front_of, listening
from moldau.schemas.known import SchemaLookup

if TYPE_CHECKING:
    from moldau.programs.console.serving.service import ConsoleService
    from moldau.programs.registry.service import RegistryService
    from moldau.programs.registry.store import StoreSettings
    from moldau.programs.rest.service import RestService

__all__ = ["Programs", "client_of"]

REGISTRY: Final = "moldau.programs.registry.service"
STORE: Final = "moldau.programs.registry.store"
REST: Final = "moldau.programs.rest.service"
CONSOLE: Final = "moldau.programs.console.serving.service"
"""Each is imported where it is served."""

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  # compared, and not listened on
LOOPBACK = "127.0.0.1"


class Programs:
    """Started behind the node, and stopped before it."""

    def __init__(self, options: Namespace, world: World, network: Network, tasks: Tasks) -> None:
        self._options = options
        self._world = world
        self._network = listening(options, world, network)
        self._tasks = tasks
        self._registry: RegistryService | None = None
        self._rest: RestService | None = None
        self._console: ConsoleService | None = None

    @property
    def schemas(self) -> SchemaLookup | None:
        """Of the registry that is served."""
        return None if self._registry is None else self._registry.schemas

    async def start(self, node: Address) -> None:
        options, world = self._options, self._world
        client = client_of(node)
        if options.client_config is not None:
            client |= properties_of(world.files, options.client_config)
        if options.registry is not None:
            registry: type[RegistryService] = import_module(REGISTRY).RegistryService
            settings: type[StoreSettings] = import_module(STORE).StoreSettings
            self._registry = registry(
                settings(client=client),
                self._network,
                self._tasks,
                world.clock,
                world.random,
                with_logins=options.logins,
                front=front_of(options, world),
            )
            await self._registry.start(Address(node.host, options.registry))
        if options.rest is not None:
            rest: type[RestService] = import_module(REST).RestService
            self._rest = rest(
                client,
                self._network,
                self._tasks,
                world.clock,
                world.random,
                registry=self._registry_settings(),
                with_logins=options.logins,
                registry_logs_in=options.logins,
                front=front_of(options, world),
                advertised=options.rest_advertise,
            )
            await self._rest.start(Address(node.host, options.rest))
        if options.ui is not None:
            self._console = self._made_console(client)
            await self._console.start(Address(node.host, options.ui))

    async def stop(self) -> None:
        if self._console is not None:
            await self._console.stop()
        if self._rest is not None:
            await self._rest.stop()
        if self._registry is not None:
            await self._registry.stop()

    def _registry_settings(self) -> RegistrySettings | None:
        """Of the one that this node serves; by HTTPS, it is not known which authority to trust."""
        if self._registry is None or self._options.https_config is not None:
            return None
        return RegistrySettings((f"http://{_reachable(self._registry.address)}",))

    def _made_console(self, client: Mapping[str, str]) -> ConsoleService:
        made: type[ConsoleService] = import_module(CONSOLE).ConsoleService
        registry = None if self._options.logins else self._registry_settings()
        config_file = self._options.client_config
        return made.of_one_cluster(
            client, config_file, registry, self._network, self._tasks, self._world.clock
        )


def client_of(node: Address) -> dict[str, str]:
    """Settings of a client on this machine."""
    return {"bootstrap.servers": str(_reachable(node))}


def _reachable(place: Address) -> Address:
    """From this machine."""
    host = LOOPBACK if place.host in EVERYWHERE else place.host
    return Address(host, place.port)
