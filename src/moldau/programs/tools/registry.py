"""`moldau registry`: a schema registry of its own, beside any Kafka.

It keeps what it knows in a topic, as Confluent's registry does, and in its form. Several may serve
the same topic, and each of them takes writes. Standard output gets one line, `moldau: ready on
HOST:PORT`, when it serves; SIGTERM and Ctrl-C end it.
"""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace

from moldau.platform.ports.network import Address
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.signals import until_stopped
from moldau.platform.system.tasks import SystemTasks
from moldau.platform.system.tasks import run as run_tasks
from moldau.programs.registry.service import RegistryService
from moldau.programs.registry.store import StoreSettings
from moldau.programs.schemas.levels import Level
from moldau.programs.tools.addresses import address
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import properties_of

__all__ = ["declare", "run"]

log = logging.getLogger(__name__)

LISTEN = Address("127.0.0.1", 8081)
LOG_FORMAT = "[%(asctime)s] %(levelname)s %(message)s (%(name)s)"


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("--bootstrap-server", required=True, metavar="HOST:PORT[,…]")
    parser.add_argument("--command-config", metavar="FILE", help="settings of the clients")
    parser.add_argument(
        "--listen",
        type=address,
        default=LISTEN,
        metavar="HOST:PORT",
        help=f"where it serves; {LISTEN} unless given, 0.0.0.0:PORT is all addresses",
    )
    parser.add_argument(
        "--topic", default="_schemas", metavar="NAME", help="where schemas are kept; _schemas"
    )
    parser.add_argument(
        "--replication-factor",
        type=int,
        metavar="N",
        help="of the topic, where it has to be created; otherwise what the cluster has by default",
    )
    parser.add_argument(
        "--group",
        default="schema-registry",
        metavar="ID",
        help="registries that serve one topic together have the same; schema-registry",
    )
    parser.add_argument(
        "--compatibility",
        type=lambda text: Level(text.upper()),
        choices=list(Level),
        default=Level.BACKWARD,
        metavar="LEVEL",
        help="of subjects without one of their own; BACKWARD",
    )


def run(options: Namespace, world: World) -> int:
    logging.basicConfig(stream=world.errors, level=logging.INFO, format=LOG_FORMAT)
    client = {"bootstrap.servers": options.bootstrap_server}
    if options.command_config is not None:
        client |= properties_of(world.files, options.command_config)
    settings = StoreSettings(
        client=client,
        topic=options.topic,
        replication_factor=options.replication_factor,
        group=options.group,
        default_level=options.compatibility,
    )
    return run_tasks(lambda tasks: _serve(options, world, settings, tasks))


async def _serve(
    options: Namespace, world: World, settings: StoreSettings, tasks: SystemTasks
) -> int:
    network = SystemNetwork()
    service = RegistryService(settings, network, tasks, world.clock, world.random)
    stop = tasks.promise()
    try:
        if not await until_stopped(service.start(options.listen), lambda: stop.keep(None)):
            return 0
        world.out.write(f"moldau: ready on {service.address}\n")
        world.out.flush()
        await stop.wait()
        await service.stop()
    finally:
        network.close()
    return 0
