"""`moldau start`: run a node until it is told to stop.

Without arguments it is one broker and controller on 127.0.0.1:9092 with its data in ./moldau-data,
which is formatted when it is blank. `--config` takes a server.properties of Kafka's; directories
that it names are formatted by `moldau format`, as with Kafka. `--data`, `--port` and `--set` change
single things of either.

Standard output gets one line, `moldau: ready on HOST:PORT`, when the node serves. The log goes to
standard error; on a terminal it is warnings alone, above a line that shows how the node is doing.
SIGTERM and Ctrl-C have the node leave in order, and the exit code is then 0; a node that is still
starting puts away what it has begun.
"""

from __future__ import annotations

import gc
import logging
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from importlib import import_module

from moldau.config.broker.listeners import PORT_MAX
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.node.defaults import DATA_DIRECTORY, PORT, alone
from moldau.node.node import Node
from moldau.node.server_properties import (
    node_settings,
    parse_assignments,
    read_properties,
    warnings,
)
from moldau.node.storage import format_alone
from moldau.node.world import NodeWorld
from moldau.ports.network import Address
from moldau.system.host import host_name, take_all_descriptors
from moldau.system.network import SystemNetwork
from moldau.system.signals import until_stopped
from moldau.system.tasks import SystemTasks
from moldau.system.tasks import run as run_tasks
from moldau.tools.command import World

log = logging.getLogger(__name__)

LIVE_STATUS = "moldau.tools.live_status"
"""Imported where there is a terminal to show it on."""
LOG_FORMAT = "[%(asctime)s] %(levelname)s %(message)s (%(name)s)"
"""As Kafka's own log looks."""


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="a server.properties, as for Kafka")
    parser.add_argument(
        "--data", metavar="DIR", help=f"where the data is (without --config {DATA_DIRECTORY})"
    )
    parser.add_argument(
        "--port", type=_port, metavar="PORT", help=f"where clients come (without --config {PORT})"
    )
    parser.add_argument(
        "--metrics-port", type=_port, metavar="PORT", help="where Prometheus finds /metrics"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting by Kafka's name; may be repeated, and wins",
    )


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) > PORT_MAX:
        raise ArgumentTypeError(f"{text!r} is no port; ports are 0 to {PORT_MAX}")
    return int(text)


def run(options: Namespace, world: World) -> int:
    is_terminal = world.out.isatty() and world.errors.isatty()
    level = logging.WARNING if is_terminal else logging.INFO
    logging.basicConfig(stream=world.errors, level=level, format=LOG_FORMAT)
    settings = chosen_settings(options, world)
    for warning in warnings(settings):
        log.warning(warning)
    take_all_descriptors()
    return run_tasks(lambda tasks: _serve(options, world, settings, tasks, is_terminal))


def chosen_settings(options: Namespace, world: World) -> BrokerSettings:
    """What the file, the flags and --set come to, the last one winning."""
    if options.data == "":
        raise SettingError("--data is empty; it names a directory, or is left out")
    if options.config is None:
        base: Mapping[str, str] = alone(
            options.data or DATA_DIRECTORY, PORT if options.port is None else options.port
        )
        flags: dict[str, str] = {}
    else:
        base = read_properties(world.files, options.config)
        flags = _flags_over_file(options, base)
    return node_settings(base, flags, parse_assignments(options.set))


def _flags_over_file(options: Namespace, base: Mapping[str, str]) -> dict[str, str]:
    flags = {}
    if options.data is not None:
        flags["log.dirs"] = options.data
    if options.port is not None:
        flags["listeners"] = _with_port(base.get("listeners", "PLAINTEXT://:9092"), options.port)
    return flags


def metrics_address(options: Namespace, settings: BrokerSettings) -> Address | None:
    """On the host of the first listener."""
    if options.metrics_port is None:
        return None
    return Address(settings.listener_list[0].host, options.metrics_port)


def _with_port(listeners: str, port: int) -> str:
    """The first listener on another port; the rest as they are."""
    first, comma, rest = listeners.partition(",")
    return f"{first.rpartition(':')[0]}:{port}{comma}{rest}"


async def _serve(
    options: Namespace,
    world: World,
    settings: BrokerSettings,
    tasks: SystemTasks,
    is_terminal: bool,
) -> int:
    network = SystemNetwork()
    here = NodeWorld(
        files=world.files,
        network=network,
        clock=world.clock,
        random=world.random,
        tasks=tasks,
        host_name=host_name(),
    )
    node = Node(settings, here, metrics_address=metrics_address(options, settings))
    stop = tasks.promise()
    formats = options.config is None
    try:
        if not await until_stopped(_started(node, here, formats), lambda: stop.keep(None)):
            log.info("Told to stop before it was ready")
            return 0
        world.out.write(f"moldau: ready on {node.address}\n")
        world.out.flush()
        status = (
            import_module(LIVE_STATUS).LiveStatus(node, here, world.errors) if is_terminal else None
        )
        await stop.wait()
        if status is not None:
            status.stop()
        await node.stop()
    finally:
        network.close()
    return 0


async def _started(node: Node, world: NodeWorld, formats: bool) -> None:
    """Start the node without looking for garbage.

    Nearly all that is made then stays as long as the node runs, so it is never looked through
    again: with 10,000 partitions that would hold up everybody for 0.1 s and more at a time.
    """
    gc.disable()
    try:
        if formats:
            format_alone(world, node.settings)
        await node.start()
        gc.freeze()
    finally:
        gc.enable()
