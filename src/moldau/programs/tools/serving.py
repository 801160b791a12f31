"""What every command shares that serves HTTP beside a cluster, until SIGTERM or Ctrl-C.

Standard output gets one line, `moldau: ready on HOST:PORT`, when the program serves; standard error
gets its log.
"""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Protocol

from moldau.platform.ports.network import Address, Network
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.signals import until_stopped
from moldau.platform.system.tasks import SystemTasks
from moldau.platform.system.tasks import run as run_tasks
from moldau.programs.http.front import Front, Rates
from moldau.programs.http.https import https_network
from moldau.programs.tools.addresses import address
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import properties_of

__all__ = [
    "BOOTSTRAP",
    "BOOTSTRAP_HELP",
    "HTTPS_HELP",
    "SERVERS",
    "HttpProgram",
    "client_settings",
    "declare_listening",
    "declare_serving",
    "front_of",
    "listening",
    "serve",
]

HTTPS_HELP = "serve HTTPS, with these settings of TLS: ssl.keystore.location and its kin"
BOOTSTRAP = "--bootstrap-server"
SERVERS = "HOST:PORT[,…]"
BOOTSTRAP_HELP = "the brokers to begin at"
LOG_FORMAT = "[%(asctime)s] %(levelname)s %(message)s (%(name)s)"


class HttpProgram(Protocol):
    """Started once, and stopped once."""

    @property
    def address(self) -> Address: ...

    async def start(self, address: Address, /) -> None:
        """Return when it serves."""

    async def stop(self) -> None: ...


def declare_serving(parser: ArgumentParser, listen: Address) -> None:
    """Which cluster, and where the program listens: `listen` unless the user chooses."""
    parser.add_argument(BOOTSTRAP, required=True, metavar=SERVERS, help=BOOTSTRAP_HELP)
    declare_listening(parser, listen)


def declare_listening(parser: ArgumentParser, listen: Address) -> None:
    """The same but for the cluster, which is given otherwise."""
    parser.add_argument("--command-config", metavar="FILE", help="settings of the clients")
    parser.add_argument(
        "--listen",
        type=address,
        default=listen,
        metavar="HOST:PORT",
        help=f"where it serves; {listen} unless given, 0.0.0.0:PORT is all addresses",
    )
    parser.add_argument("--https-config", metavar="FILE", help=HTTPS_HELP)


def front_of(options: Namespace, world: World) -> Front:
    """What stands before the routes."""
    rate = options.requests_per_second
    addresses, users = (None if rate is None else Rates(world.clock, rate) for _ in range(2))
    return Front(addresses, users, options.allow_origin)


def client_settings(options: Namespace, world: World) -> dict[str, str]:
    """What the flags say about clients of the cluster, by Kafka's names."""
    path = options.command_config
    client = properties_of(world.files, path) if path is not None else {}
    return client | {"bootstrap.servers": options.bootstrap_server}


def listening(options: Namespace, world: World, network: Network) -> Network:
    """The network with TLS on its listeners, where the flags ask for it."""
    if options.https_config is None:
        return network
    return https_network(network, properties_of(world.files, options.https_config), world.clock)


def serve(
    options: Namespace, world: World, make: Callable[[Network, SystemTasks], HttpProgram]
) -> int:
    """Run the program that `make` builds until a signal ends it."""
    logging.basicConfig(stream=world.errors, level=logging.INFO, format=LOG_FORMAT)
    return run_tasks(lambda tasks: _serve(options, world, make, tasks))


async def _serve(
    options: Namespace,
    world: World,
    make: Callable[[Network, SystemTasks], HttpProgram],
    tasks: SystemTasks,
) -> int:
    network = SystemNetwork()
    stop = tasks.promise()
    try:
        program = make(listening(options, world, network), tasks)
        if not await until_stopped(program.start(options.listen), lambda: stop.keep(None)):
            return 0
        world.out.write(f"moldau: ready on {program.address}\n")
        world.out.flush()
        await stop.wait()
        await program.stop()
    finally:
        network.close()
    return 0
