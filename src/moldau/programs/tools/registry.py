"""`moldau registry`: a schema registry of its own, beside any Kafka.

It keeps what it knows in a topic, as Confluent's registry does, and in its form. Several may serve
the same topic, and each of them takes writes.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from moldau.platform.ports.network import Address
from moldau.programs.registry.service import RegistryService
from moldau.programs.registry.store import StoreSettings
from moldau.programs.tools.command import World
from moldau.programs.tools.front_flags import declare_front
from moldau.programs.tools.serving import (
    client_settings,
    declare_serving,
    front_of,
    serve,
)
from moldau.schemas.levels import Level

__all__ = ["declare", "run"]

LISTEN = Address("127.0.0.1", 8081)


def declare(parser: ArgumentParser) -> None:
    declare_serving(parser, LISTEN)
    declare_front(parser)
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
    parser.add_argument(
        "--logins",
        action="store_true",
        help="each request logs in to the cluster by HTTP's Basic, a token or a certificate, and "
        "may do with a subject what its user may do with the topic",
    )


def run(options: Namespace, world: World) -> int:
    settings = StoreSettings(
        client=client_settings(options, world),
        topic=options.topic,
        replication_factor=options.replication_factor,
        group=options.group,
        default_level=options.compatibility,
    )
    return serve(
        options,
        world,
        lambda network, tasks: RegistryService(
            settings,
            network,
            tasks,
            world.clock,
            world.random,
            with_logins=options.logins,
            front=front_of(options, world),
        ),
    )
