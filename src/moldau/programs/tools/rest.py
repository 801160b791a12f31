"""`moldau rest`: Kafka over HTTP beside any Kafka, with the API of Confluent's REST proxy.

Standard output gets one line, `moldau: ready on HOST:PORT`, when it serves; SIGTERM and Ctrl-C end
it, after what was handed over has been sent.
"""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from moldau.platform.ports.network import Address
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.signals import until_stopped
from moldau.platform.system.tasks import SystemTasks
from moldau.platform.system.tasks import run as run_tasks
from moldau.programs.rest.service import RestService
from moldau.programs.tools.addresses import address
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import properties_of

__all__ = ["declare", "run"]

LISTEN = Address("127.0.0.1", 8082)
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
        "--logins",
        action="store_true",
        help="each request logs in to the cluster by HTTP's Basic, so that the user of HTTP is the "
        "principal whose access rules hold",
    )


def run(options: Namespace, world: World) -> int:
    logging.basicConfig(stream=world.errors, level=logging.INFO, format=LOG_FORMAT)
    client = {"bootstrap.servers": options.bootstrap_server}
    if options.command_config is not None:
        client |= properties_of(world.files, options.command_config)
    return run_tasks(lambda tasks: _serve(options, world, client, tasks))


async def _serve(
    options: Namespace, world: World, client: Mapping[str, str], tasks: SystemTasks
) -> int:
    network = SystemNetwork()
    service = RestService(
        client, network, tasks, world.clock, world.random, with_logins=options.logins
    )
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
