"""The flags that lead to a cluster, and the clients that they ask for."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from moldau.client import admin as clients
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import pairs_of, settings_file

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["admin_for", "declare_cluster", "settings_for"]


def declare_cluster(parser: ArgumentParser) -> None:
    parser.add_argument(
        "-b",
        "--bootstrap-server",
        required=True,
        metavar="HOST:PORT,…",
        help="the brokers to begin at",
    )
    parser.add_argument(
        "--command-config", metavar="FILE", help="a file of properties with settings of the client"
    )
    parser.add_argument(
        "--command-property",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting of the client; wins over the file; may be repeated",
    )


def settings_for(options: Namespace, world: World, **more: object) -> dict[str, object]:
    """Settings of a client; `more` has underscores for dots, and wins."""
    settings = settings_file(world.files, options.command_config)
    settings |= pairs_of(options.command_property)
    settings["bootstrap.servers"] = options.bootstrap_server
    return settings | {name.replace("_", "."): value for name, value in more.items()}


def admin_for(options: Namespace, world: World) -> Admin:
    """To be closed."""
    return clients.Admin(settings_for(options, world))
