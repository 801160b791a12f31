"""What the flags of `moldau start` come to: the settings of the node, and where its metrics are.

Flags change single things of the file, or of the settings for development where there is none;
`--set` wins over both. Clients come through the first listener that is not the controller's: it is
the one that `--port` and `--listen` move, and that `--advertise` speaks of.
"""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from moldau.broker.node.defaults import DATA_DIRECTORY, DEVELOPMENT, PORT, alone
from moldau.broker.node.server_properties import (
    PropertiesFile,
    node_settings,
    read_properties,
    warnings,
)
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.platform.ports.files import Files
from moldau.platform.ports.network import Address
from moldau.programs.tools.addresses import address, port
from moldau.programs.tools.server_settings import parse_assignments, settings_from_file

if TYPE_CHECKING:
    from moldau.broker.node.several_nodes import PlannedNode

__all__ = [
    "NODES_DIRECTORY",
    "address",
    "chosen_settings",
    "development_line",
    "flags_of_each",
    "metrics_address",
    "node_count",
    "planned_nodes",
    "port",
    "warnings_of",
]

NODES_DIRECTORY = "./moldau-nodes"
"""Of several nodes: not that of a single one, whose logs a later start would look for in it."""
LISTENERS = "PLAINTEXT://:9092"
"""Of a file that names none."""
ONE_NODE_FLAGS = (
    *("config", "listen", "advertise", "registry", "rest"),
    *("client_config", "https_config"),
)
PORT_HIGH = 65535
HTTP_PROGRAMS = ("registry", "rest", "ui")
"""Flags of programs that a node serves beside itself."""


def node_count(text: str) -> int:
    """How many nodes, for a flag."""
    from moldau.broker.node.several_nodes import NODES_MAX

    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= NODES_MAX:
        raise ArgumentTypeError(f"{text!r} is no number of nodes; there may be 1 to {NODES_MAX}")
    return int(text)


def planned_nodes(options: Namespace) -> list[PlannedNode]:
    """The nodes of `--nodes`; flags that speak of a single node are refused."""
    from moldau.broker.node.several_nodes import plan_nodes, ports_in_a_row

    for name in ONE_NODE_FLAGS:
        if getattr(options, name) is not None:
            flag = f"--{name.replace('_', '-')}"
            raise SettingError(f"{flag} is of one node; leave it out, or --nodes")
    data = NODES_DIRECTORY if options.data is None else options.data.rstrip("/")
    first = PORT if options.port is None else options.port
    assigned = parse_assignments(options.set)
    places = ports_in_a_row(options.nodes, first)
    return plan_nodes(places, data, assigned, racks=options.racks)


def flags_of_each(options: Namespace) -> list[list[str]]:
    """What is handed on to each node of `--nodes`; the first has the console."""
    shared = ["--refuse-loss"] if options.refuse_loss else []
    if options.log_level is not None:
        from moldau.broker.server.config.logger_levels import NAMES

        shared += ["--log-level", NAMES[options.log_level]]
    found = [[*shared, *_metrics_flags(options, index)] for index in range(options.nodes)]
    if options.ui is not None:
        found[0] += ["--ui", str(options.ui)]
    return found


def _metrics_flags(options: Namespace, index: int) -> list[str]:
    """Each on a port of its own, in a row like those of clients; 0 is any for each."""
    first = options.metrics_port
    if first is None:
        return []
    number = first + index if first else 0
    if number > PORT_HIGH:
        raise SettingError(f"--metrics-port {first} leaves no port for each of --nodes")
    return ["--metrics-port", str(number), "--metrics-host", options.metrics_host]


def chosen_settings(
    options: Namespace, files: Files
) -> tuple[BrokerSettings, PropertiesFile | None]:
    """What the file, the flags and `--set` come to, the last one winning; and the file."""
    if options.data == "":
        raise SettingError("--data is empty; it names a directory, or is left out")
    if options.https_config is not None and not any(
        getattr(options, name) is not None for name in HTTP_PROGRAMS
    ):
        raise SettingError("--https-config is for --registry, --rest and --ui: give one of them")
    assigned = parse_assignments(options.set)
    if options.config is None:
        base = alone(options.data or DATA_DIRECTORY)
        return node_settings(base, _flags(options, base), assigned), None
    file = read_properties(files, options.config)
    return settings_from_file(file, assigned, _flags(options, file.values)), file


def warnings_of(settings: BrokerSettings, file: PropertiesFile | None) -> list[str]:
    """What its user should know before the node starts; development mode comes first."""
    found = warnings(settings, file)
    return found if file is not None else [development_line(settings), *found]


def development_line(settings: BrokerSettings) -> str:
    """What a node without a file is, and which of its settings are not Kafka's defaults."""
    differing = [
        f"{name}={value} (Kafka: {default})"
        for name in DEVELOPMENT
        if (value := settings.text(name)) != (default := BrokerSettings.KEYS[name].default_text)
    ]
    place, directory = settings.listener_list[0], ",".join(settings.directories)
    return (
        f"Development mode, as there is no --config: one node at {place}, its data in {directory}, "
        f"and other defaults than Kafka's: {', '.join(differing) or 'none'}"
    )


def metrics_address(options: Namespace) -> Address | None:
    """Where `/metrics` is, if anywhere."""
    if options.metrics_port is None:
        return None
    return Address(options.metrics_host, options.metrics_port)


def _flags(options: Namespace, base: Mapping[str, str]) -> dict[str, str]:
    """The settings that flags stand for."""
    flags = {}
    if options.data is not None:
        flags["log.dirs"] = options.data
    if options.refuse_loss:
        flags["moldau.refuse.loss"] = "true"
    listeners = _by_name(base.get("listeners", LISTENERS))
    controllers = {name.strip() for name in base.get("controller.listener.names", "").split(",")}
    clients = [name for name in listeners if name not in controllers]
    if not clients:
        return flags  # which the checks of the settings refuse
    if options.listen is not None:
        listeners[clients[0]] = str(options.listen)
    elif options.port is not None:
        listeners[clients[0]] = f"{listeners[clients[0]].rpartition(':')[0]}:{options.port}"
    if options.listen is not None or options.port is not None:
        flags["listeners"] = _joined(listeners)
    if options.advertise is not None:
        advertised = _by_name(base.get("advertised.listeners", ""))
        places = {name: advertised.get(name, listeners[name]) for name in clients}
        places[clients[0]] = str(options.advertise)
        flags["advertised.listeners"] = _joined(places)
    return flags


def _by_name(listeners: str) -> dict[str, str]:
    """HOST:PORT of each listener, by its name."""
    entries = (entry.strip().partition("://") for entry in listeners.split(",") if entry.strip())
    return {name: place for name, _, place in entries}


def _joined(places: Mapping[str, str]) -> str:
    return ",".join(f"{name}://{place}" for name, place in places.items())
