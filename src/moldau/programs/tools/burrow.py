"""`moldau burrow`: how far all groups are behind, by Burrow's rules and its HTTP API.

It stands beside any Kafka, and takes Burrow's place for programs that ask it: the paths and bodies
of its API version 3, and its metrics. Standard output gets one line, `moldau: ready on HOST:PORT`,
when it serves; SIGTERM and Ctrl-C end it.
"""

from __future__ import annotations

import logging
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from moldau.platform.ports.network import Address
from moldau.platform.system.host import host_name
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.signals import until_stopped
from moldau.platform.system.tasks import SystemTasks
from moldau.platform.system.tasks import run as run_tasks
from moldau.programs.lag.service import LagService, LagSettings
from moldau.programs.lag.state import LagRules
from moldau.programs.tools.addresses import address
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import properties_of

__all__ = ["declare", "run"]

LISTEN = Address("127.0.0.1", 8000)
LOG_FORMAT = "[%(asctime)s] %(levelname)s %(message)s (%(name)s)"
MS_PER_SECOND = 1000


def declare(parser: ArgumentParser) -> None:
    rules = LagRules()
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
        "--cluster", default="local", metavar="NAME", help="the cluster's name in paths; local"
    )
    parser.add_argument(
        "--refresh", type=int, default=10, metavar="S", help="seconds between looks at logs; 10"
    )
    parser.add_argument(
        "--intervals",
        type=int,
        default=rules.intervals,
        metavar="N",
        help=f"commits by which a group is judged; {rules.intervals}",
    )
    parser.add_argument(
        "--min-distance",
        type=int,
        default=0,
        metavar="S",
        help="commits that follow each other within this count as one; 0",
    )
    parser.add_argument(
        "--expire-group",
        type=int,
        default=rules.expire_ms // MS_PER_SECOND,
        metavar="S",
        help="forget a group that has committed nothing for so long; a week",
    )
    parser.add_argument(
        "--group-allowlist", type=_pattern, metavar="REGEX", help="only groups with such names"
    )
    parser.add_argument(
        "--group-denylist", type=_pattern, metavar="REGEX", help="no groups with such names"
    )


def run(options: Namespace, world: World) -> int:
    logging.basicConfig(stream=world.errors, level=logging.INFO, format=LOG_FORMAT)
    client = {"bootstrap.servers": options.bootstrap_server}
    if options.command_config is not None:
        client |= properties_of(world.files, options.command_config)
    allowed, denied = options.group_allowlist, options.group_denylist

    def wants(group: str) -> bool:
        is_allowed = allowed is None or allowed.search(group)
        return bool(is_allowed) and not (denied is not None and denied.search(group))

    settings = LagSettings(
        client=client,
        cluster=options.cluster,
        host=host_name(),
        refresh_ms=options.refresh * MS_PER_SECOND,
        rules=LagRules(
            intervals=options.intervals,
            distance_ms=options.min_distance * MS_PER_SECOND,
            expire_ms=options.expire_group * MS_PER_SECOND,
            wants=wants,
        ),
    )
    return run_tasks(lambda tasks: _serve(options, world, settings, tasks))


async def _serve(
    options: Namespace, world: World, settings: LagSettings, tasks: SystemTasks
) -> int:
    network = SystemNetwork()
    service = LagService(settings, network, tasks, world.clock)
    stop = tasks.promise()
    try:
        if not await until_stopped(service.start(options.listen), lambda: stop.keep(None)):
            return 0
        world.out.write(f"moldau: ready on {service.address}\n")
        world.out.flush()
        await stop.wait()
        service.stop()
    finally:
        network.close()
    return 0


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None
