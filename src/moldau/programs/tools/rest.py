"""`moldau rest`: Kafka over HTTP beside any Kafka, with the API of Confluent's REST proxy.

SIGTERM and Ctrl-C end it, after what was handed over has been sent.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from moldau.client.schemas.settings import registry_settings
from moldau.platform.ports.network import Address
from moldau.programs.rest.service import RestService
from moldau.programs.tools.addresses import ADVERTISE_HELP, site
from moldau.programs.tools.command import World
from moldau.programs.tools.front_flags import declare_front
from moldau.programs.tools.serving import (
    client_settings,
    declare_serving,
    front_of,
    serve,
)

__all__ = ["declare", "run"]

LISTEN = Address("127.0.0.1", 8082)


def declare(parser: ArgumentParser) -> None:
    declare_serving(parser, LISTEN)
    declare_front(parser)
    parser.add_argument(
        "--registry-url",
        metavar="URL[,…]",
        help="the registry of schemas, for keys and values in Avro, JSON Schema and Protobuf",
    )
    parser.add_argument("--advertise", type=site, metavar="URL", help=ADVERTISE_HELP)
    parser.add_argument(
        "--logins",
        action="store_true",
        help="each request logs in to the cluster by HTTP's Basic, by a token or by a certificate, "
        "so that the user of HTTP is the principal whose access rules hold",
    )


def run(options: Namespace, world: World) -> int:
    client = client_settings(options, world)
    url = options.registry_url
    registry = None if url is None else registry_settings(url)
    return serve(
        options,
        world,
        lambda network, tasks: RestService(
            client,
            network,
            tasks,
            world.clock,
            world.random,
            registry=registry,
            with_logins=options.logins,
            front=front_of(options, world),
            advertised=options.advertise,
        ),
    )
