"""`moldau start`: run a node until it is stopped.

Without arguments it is for development: one broker and controller on 127.0.0.1:9092 with its data
in ./moldau-data, which is formatted when it is blank; the first line of the log has it. `--config`
takes a server.properties of Kafka's; directories that it names are formatted by `moldau format`, as
with Kafka. Other flags change single things of either. `--nodes N` starts N nodes in one cluster,
each a process (`start_nodes`).

Standard output gets one line, `moldau: ready on HOST:PORT`, when the node serves. The log goes to
standard error, at the level INFO or that of `--log-level`; on a terminal it is warnings alone,
above a line that shows how the node is doing. What repeats in it is counted, and logged once in a
while.

SIGTERM and Ctrl-C have the node leave in order, and the exit code is then 0; a node that is still
starting puts away what it has begun.
"""

from __future__ import annotations

import gc
import logging
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from moldau.broker.node.defaults import DATA_DIRECTORY, HOST, PORT
from moldau.broker.node.node import Node
from moldau.broker.node.storage import format_alone
from moldau.broker.node.world import NodeWorld
from moldau.config.broker.settings import BrokerSettings
from moldau.network import connection
from moldau.platform.system.host import host_name, take_all_descriptors, usable_cores
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.signals import until_stopped
from moldau.platform.system.tasks import SystemTasks
from moldau.platform.system.tasks import run as run_tasks
from moldau.platform.system.variables import variable
from moldau.programs.tools.addresses import ADVERTISE_HELP, site
from moldau.programs.tools.command import World
from moldau.programs.tools.front_flags import declare_front
from moldau.programs.tools.start_settings import (
    NODES_DIRECTORY,
    address,
    chosen_settings,
    flags_of_each,
    metrics_address,
    node_count,
    planned_nodes,
    port,
    warnings_of,
)

if TYPE_CHECKING:
    from moldau.platform.ports.network import Network
    from moldau.programs.tools.burst_filter import BurstFilter
    from moldau.programs.tools.start_programs import Programs

log = logging.getLogger(__name__)

LIVE_STATUS = "moldau.programs.tools.live_status"
"""Imported where there is a terminal to show it on."""
KERBEROS = "moldau.platform.system.kerberos"
USAGE = "moldau.platform.system.usage"
"""Imported where a listener or another node takes it."""
BURST_FILTER = "moldau.programs.tools.burst_filter"
"""Imported when the node serves: its log cannot be flooded before."""
LONG_COLLECTIONS = "moldau.platform.system.long_collections"
HEAP = "moldau.platform.system.heap"
"""Imported when the node serves: ctypes would hold up its start."""
PROGRAMS = "moldau.programs.tools.start_programs"
"""Imported where something is served beside the node."""
CUTS = "moldau.testing.cuts"
"""Imported for a node of a cluster in a test."""
REGISTRY_PORT = 8081
REST_PORT = 8082
UI_PORT = 8080
CORES_TO_POLL = 2
"""With fewer a node that polls for a request would take the time that its client needs."""
LOGINS = "moldau.programs.tools.start_logins"
"""Imported where there are options for Java."""
LOGGER_LEVELS = "moldau.broker.server.config.logger_levels"
"""Imported where a level is given."""
INTERPRETED = (
    "The node runs interpreted, so requests cost more of the processor: where a C compiler is "
    "there, `./dev build` compiles a checkout, and an installation compiles itself"
)
LOG_FORMAT = "[%(asctime)s] %(levelname)s %(message)s (%(name)s)"
"""As Kafka's own log looks."""


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="a server.properties, as for Kafka")
    parser.add_argument(
        "--data", metavar="DIR", help=f"where the data is (without --config {DATA_DIRECTORY})"
    )
    parser.add_argument(
        "--nodes",
        type=node_count,
        metavar="N",
        help=f"N nodes on this machine in one cluster, from the port on, their data in "
        f"{NODES_DIRECTORY}; one Ctrl-C stops all",
    )
    parser.add_argument(
        "--racks", action="store_true", help="with --nodes: each node in a rack of its own"
    )
    places = parser.add_mutually_exclusive_group()
    places.add_argument(
        "--port", type=port, metavar="PORT", help=f"where clients come (without --config {PORT})"
    )
    places.add_argument(
        "--listen",
        type=address,
        metavar="HOST:PORT",
        help="the same with the address to listen on; 0.0.0.0:PORT is all of this machine's",
    )
    parser.add_argument(
        "--advertise",
        type=address,
        metavar="HOST:PORT",
        help="the advertised address of the node, where that is another address",
    )
    _declare_metrics(parser)
    parser.add_argument(
        "--log-level",
        type=_level,
        metavar="LEVEL",
        help="what is logged: TRACE, DEBUG, INFO, WARN, ERROR or FATAL; kafka-configs changes "
        "single loggers of a running node",
    )
    parser.add_argument(
        "--refuse-loss",
        action="store_true",
        help="stop, before anything on the disk is changed, where a log has lost records",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting by Kafka's name; may be repeated, and wins",
    )
    _declare_programs(parser)


def _declare_metrics(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--metrics-port",
        type=port,
        metavar="PORT",
        help="where Prometheus finds /metrics; with --nodes the ports from this one on",
    )
    parser.add_argument(
        "--metrics-host",
        default=HOST,
        metavar="HOST",
        help=f"the address that --metrics-port is on; {HOST} unless it is given",
    )


def _declare_programs(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--registry",
        nargs="?",
        const=REGISTRY_PORT,
        type=port,
        metavar="PORT",
        help=f"serve schemas too, on port {REGISTRY_PORT} unless another one is given",
    )
    parser.add_argument(
        "--rest",
        nargs="?",
        const=REST_PORT,
        type=port,
        metavar="PORT",
        help=f"serve Kafka over HTTP too, on port {REST_PORT} unless another one is given",
    )
    parser.add_argument("--rest-advertise", type=site, metavar="URL", help=ADVERTISE_HELP)
    parser.add_argument(
        "--ui",
        nargs="?",
        const=UI_PORT,
        type=port,
        metavar="PORT",
        help=f"serve the console too, on port {UI_PORT} unless another one is given; with --nodes "
        "the first of them does",
    )
    parser.add_argument(
        "--client-config",
        metavar="FILE",
        help="settings with which --registry, --rest and --ui reach the node, where clients have "
        "to log in",
    )
    parser.add_argument(
        "--https-config",
        metavar="FILE",
        help="settings of TLS with which --registry, --rest and --ui serve HTTPS",
    )
    parser.add_argument(
        "--logins",
        action="store_true",
        help="users of --registry and --rest log in by HTTP's Basic, by a token or by a "
        "certificate, as users of the cluster, "
        "whose access rules hold; it needs --client-config",
    )
    declare_front(parser)

    parser.add_argument("--cut-by-input", action="store_true", help=SUPPRESS)  # for tests


def _level(text: str) -> int:
    levels: Mapping[str, int] = import_module(LOGGER_LEVELS).LEVELS
    level = levels.get(text.upper())
    if level is None:
        raise ArgumentTypeError(f"{text!r} is no level; there are {', '.join(levels)}")
    return level


def run(options: Namespace, world: World) -> int:
    if options.nodes is not None:
        return _run_nodes(options, world)
    is_terminal = world.out.isatty() and world.errors.isatty()
    level = options.log_level or (logging.WARNING if is_terminal else logging.INFO)
    logging.basicConfig(stream=world.errors, level=level, format=LOG_FORMAT)
    settings, file = chosen_settings(options, world.files)
    java_options = variable("KAFKA_OPTS")
    if java_options is not None:
        settings = import_module(LOGINS).with_logins(settings, java_options, world.files)
    for warning in warnings_of(settings, file):
        log.warning("%s", warning)
    if str(connection.__file__).endswith(".py"):
        log.warning(INTERPRETED)
    take_all_descriptors()
    return run_tasks(
        lambda tasks: _serve(options, world, settings, tasks, is_terminal),
        polls=usable_cores() >= CORES_TO_POLL,
    )


def _run_nodes(options: Namespace, world: World) -> int:
    """Import what only a cluster needs, and start it."""
    from moldau.programs.tools.start_nodes import run_nodes

    return run_nodes(planned_nodes(options), flags_of_each(options), world)


async def _serve(
    options: Namespace,
    world: World,
    settings: BrokerSettings,
    tasks: SystemTasks,
    is_terminal: bool,
) -> int:
    network = _network(options, world, settings, tasks)
    here = NodeWorld(
        files=world.files,
        network=network,
        clock=world.clock,
        random=world.random,
        tasks=tasks,
        kerberos=lambda: import_module(KERBEROS).SystemKerberos(),
        usage=lambda: import_module(USAGE).ProcessUsage(),
        host_name=host_name(),
    )
    node = Node(settings, here, metrics_address=metrics_address(options))
    stop = tasks.promise()
    formats = options.config is None
    try:
        if not await until_stopped(_started(node, here, formats), lambda: stop.keep(None)):
            log.info("Stopped before it was ready")
            return 0
        programs = _programs(options, world, network, tasks)
        if programs is not None:
            await programs.start(node.address)
            node.schemas = programs.schemas
        world.out.write(f"moldau: ready on {node.address}\n")
        world.out.flush()
        import_module(HEAP).keep_freed_memory()
        import_module(LONG_COLLECTIONS).LongCollections().begin()
        limits = _limits(world, tasks)
        status = (
            import_module(LIVE_STATUS).LiveStatus(node, here, world.errors) if is_terminal else None
        )
        await stop.wait()
        if status is not None:
            status.stop()
        if programs is not None:
            await programs.stop()
        await node.stop()
        for limit in limits:
            limit.close()
    finally:
        network.close()
    return 0


def _network(
    options: Namespace, world: World, settings: BrokerSettings, tasks: SystemTasks
) -> Network:
    network = SystemNetwork(settings.socket_listen_backlog_size)
    if not options.cut_by_input:
        return network
    cuttable: Network = import_module(CUTS).cut_by_input(network, tasks, world.out)
    return cuttable


def _programs(
    options: Namespace, world: World, network: Network, tasks: SystemTasks
) -> Programs | None:
    if options.registry is None and options.rest is None and options.ui is None:
        return None
    made: Programs = import_module(PROGRAMS).Programs(options, world, network, tasks)
    return made


def _limits(world: World, tasks: SystemTasks) -> list[BurstFilter]:
    """From now on no handler of the log can be flooded."""
    make: type[BurstFilter] = import_module(BURST_FILTER).BurstFilter
    limits = [make(handler, world.clock, tasks) for handler in logging.getLogger().handlers]
    for limit in limits:
        limit.begin()
    return limits


async def _started(node: Node, world: NodeWorld, formats: bool) -> None:
    """Start the node without looking for garbage.

    Nearly all that is made then stays as long as the node runs, so it is never looked through
    again: with 10,000 partitions that would hold up all requests for 0.1 s and more at a time. What
    comes later is looked through once, if that takes long.
    """
    gc.disable()
    try:
        if formats:
            format_alone(world, node.settings)
        await node.start()
        gc.freeze()
    finally:
        gc.enable()
