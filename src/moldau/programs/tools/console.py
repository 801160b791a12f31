"""`moldau console`: a cluster on pages of a browser, beside any Kafka.

SIGTERM and Ctrl-C end it, after what was handed over has been sent.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from moldau.client.errors import ClientError
from moldau.client.schemas import RegistrySettings
from moldau.platform.ports.network import Address
from moldau.programs.console.reach import ConsoleSettings, console_registry
from moldau.programs.console.service import ConsoleService
from moldau.programs.console.values import Mask, Masks, mask_of
from moldau.programs.tools.command import World
from moldau.programs.tools.serving import client_settings, declare_serving, serve

__all__ = ["declare", "run"]

LISTEN = Address("127.0.0.1", 8080)


def declare(parser: ArgumentParser) -> None:
    declare_serving(parser, LISTEN)
    parser.add_argument(
        "--logins",
        action="store_true",
        help="each user logs in to the cluster by HTTP's Basic, and the cluster's access rules "
        "decide what the pages may show and change",
    )
    parser.add_argument(
        "--read-only", action="store_true", help="show changes and their commands, and run none"
    )
    parser.add_argument(
        "--mask",
        type=_mask,
        action="append",
        default=[],
        metavar="TOPICS:FIELD[,…]",
        help="hide fields of JSON values in topics with such names (* and ? as in a shell); the "
        "field * hides values as a whole; may be repeated",
    )
    parser.add_argument(
        "--registry-url",
        type=_registry,
        metavar="URL[,…]",
        help="show keys and values decoded that name a schema of this registry",
    )


def run(options: Namespace, world: World) -> int:
    client = client_settings(options, world)
    settings = ConsoleSettings(
        servers=options.bootstrap_server,
        config_file=options.command_config,
        read_only=options.read_only,
        masks=Masks(options.mask),
        registry=options.registry_url,
    )
    return serve(
        options,
        world,
        lambda network, tasks: ConsoleService(
            client, settings, network, tasks, world.clock, with_logins=options.logins
        ),
    )


def _registry(text: str) -> RegistrySettings:
    try:
        return console_registry(text)
    except ClientError as error:
        raise ArgumentTypeError(str(error)) from None


def _mask(text: str) -> Mask:
    try:
        return mask_of(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None
