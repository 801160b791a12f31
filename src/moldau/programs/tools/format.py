"""`moldau format`: prepare the directories of a node, as `kafka-storage format` does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from moldau.broker.node.format_plan import FormatOptions, plan_format
from moldau.broker.node.formatting import Formatter
from moldau.broker.node.server_properties import read_properties
from moldau.platform.ports.files import read_whole
from moldau.programs.tools.command import World
from moldau.programs.tools.server_settings import parse_assignments, settings_from_file


def declare(parser: ArgumentParser) -> None:
    parser.add_argument(
        "-c", "--config", required=True, metavar="FILE", help="the node's server.properties"
    )
    parser.add_argument(
        "-t", "--cluster-id", required=True, metavar="ID", help="the id of the cluster"
    )
    parser.add_argument(
        "-g",
        "--ignore-formatted",
        action="store_true",
        help="leave directories alone that are formatted",
    )
    parser.add_argument(
        "-r",
        "--release-version",
        metavar="RELEASE",
        help="the release whose features it begins with",
    )
    parser.add_argument(
        "-f",
        "--feature",
        action="append",
        default=[],
        metavar="NAME=LEVEL",
        help="the level of one feature; may be repeated",
    )
    parser.add_argument(
        "-S",
        "--add-scram",
        action="append",
        default=[],
        metavar="CREDENTIAL",
        help="a user, as SCRAM-SHA-256=[name=alice,password=...], or @FILE with one a line, which "
        "no list of processes shows; may be repeated",
    )
    _declare_voters(parser)
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting that wins over the file; may be repeated",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would be formatted, and write nothing"
    )


def _declare_voters(parser: ArgumentParser) -> None:
    voters = parser.add_mutually_exclusive_group()
    voters.add_argument(
        "-s", "--standalone", action="store_true", help="this controller is the only voter"
    )
    voters.add_argument(
        "-I",
        "--initial-controllers",
        metavar="VOTERS",
        help="the first voters, as id@host:port:directory.id,...",
    )
    voters.add_argument(
        "-N",
        "--no-initial-controllers",
        action="store_true",
        help="the node joins a quorum that is there",
    )


def _credentials(texts: Sequence[str], world: World) -> Iterator[str]:
    for text in texts:
        if not text.startswith("@"):
            yield text
            continue
        lines = read_whole(world.files, text[1:]).decode("utf-8", "replace").splitlines()
        yield from (line.strip() for line in lines if line.strip())


def run(options: Namespace, world: World) -> int:
    file = read_properties(world.files, options.config)
    settings = settings_from_file(file, parse_assignments(options.set))
    asked = FormatOptions(
        cluster_id=options.cluster_id,
        release=options.release_version,
        features=options.feature,
        scram=list(_credentials(options.add_scram, world)),
        standalone=options.standalone,
        initial_controllers=options.initial_controllers,
        no_initial_controllers=options.no_initial_controllers,
    )
    plan = plan_format(settings, asked, world.random)

    def report(line: str) -> None:
        print(line, file=world.out)

    formatter = Formatter(world.files, world.clock, world.random, report)
    formatter.format(
        settings, plan, ignore_formatted=options.ignore_formatted, dry_run=options.dry_run
    )
    return 0
