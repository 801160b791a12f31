"""`moldau burrow`: how far all groups are behind, by Burrow's rules and its HTTP API.

It stands beside any Kafka, and takes Burrow's place for programs that ask it: the paths and bodies
of its API version 3, and its metrics.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from moldau.platform.ports.network import Address
from moldau.platform.system.host import host_name
from moldau.programs.lag.service import LagService, LagSettings
from moldau.programs.lag.state import LagRules
from moldau.programs.tools.command import World
from moldau.programs.tools.serving import client_settings, declare_serving, serve

__all__ = ["declare", "run"]

LISTEN = Address("127.0.0.1", 8000)
MS_PER_SECOND = 1000


def declare(parser: ArgumentParser) -> None:
    rules = LagRules()
    declare_serving(parser, LISTEN)
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
    settings = LagSettings(
        client=client_settings(options, world),
        cluster=options.cluster,
        host=host_name(),
        refresh_ms=options.refresh * MS_PER_SECOND,
        rules=_rules(options),
    )
    return serve(
        options, world, lambda network, tasks: LagService(settings, network, tasks, world.clock)
    )


def _rules(options: Namespace) -> LagRules:
    allowed, denied = options.group_allowlist, options.group_denylist

    def wants(group: str) -> bool:
        is_allowed = allowed is None or allowed.search(group)
        return bool(is_allowed) and not (denied is not None and denied.search(group))

    return LagRules(
        intervals=options.intervals,
        distance_ms=options.min_distance * MS_PER_SECOND,
        expire_ms=options.expire_group * MS_PER_SECOND,
        wants=wants,
    )


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None
