"""`moldau probe`: whether records go through a cluster, and how long that takes, all the time."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from moldau.platform.ports.network import Address
from moldau.programs.probe.prober import GROUP, INTERVAL_MS, LIMIT_MS, TOPIC, ProbeSettings
from moldau.programs.probe.service import ProbeService
from moldau.programs.tools.command import World
from moldau.programs.tools.serving import client_settings, declare_serving, serve
from moldau.protocol.wire.uuids import new_uuid, uuid_text

__all__ = ["declare", "run"]

LISTEN = Address("127.0.0.1", 9405)


def declare(parser: ArgumentParser) -> None:
    declare_serving(parser, LISTEN)
    parser.add_argument(
        "--topic",
        default=TOPIC,
        metavar="TOPIC",
        help="where its records go; made with a partition for each broker; %(default)s",
    )
    parser.add_argument("--group", default=GROUP, metavar="GROUP", help="that commits; %(default)s")
    parser.add_argument(
        "--interval",
        type=int,
        default=INTERVAL_MS,
        metavar="MS",
        help="between records; %(default)s",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=LIMIT_MS,
        metavar="MS",
        help="after which a record that was not read counts as lost; %(default)s",
    )


def run(options: Namespace, world: World) -> int:
    settings = ProbeSettings(
        client=client_settings(options, world),
        topic=options.topic,
        group=options.group,
        interval_ms=options.interval,
        limit_ms=options.limit,
    )
    run_id = uuid_text(new_uuid(world.random))
    return serve(
        options,
        world,
        lambda network, tasks: ProbeService(settings, network, tasks, world.clock, run_id),
    )
