"""`moldau plan FILE`: how a cluster differs from what a file of YAML declares."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from moldau.errors import FileMissingError
from moldau.platform.ports.files import read_whole
from moldau.programs.located_yaml import read_yaml
from moldau.programs.tools.cluster.changes import Change, changes_of
from moldau.programs.tools.cluster.connecting import admin_for, declare_cluster
from moldau.programs.tools.cluster.tables import count_text
from moldau.programs.tools.cluster.wanted import Wanted, read_wanted
from moldau.programs.tools.command import World, declare_output

__all__ = ["declare", "declare_file", "read_file", "run", "show"]

DIFFERS = 1


def declare(parser: ArgumentParser) -> None:
    declare_file(parser)
    declare_output(parser)
    parser.add_argument(
        "--exit-code", action="store_true", help="exit with 1 if there is something to change"
    )


def declare_file(parser: ArgumentParser) -> None:
    declare_cluster(parser)
    parser.add_argument(
        "file", metavar="FILE", help="topics, acls, quotas and users, in YAML or JSON"
    )


def run(options: Namespace, world: World) -> int:
    wanted = read_file(options, world)
    with admin_for(options, world) as admin:
        changes = changes_of(admin, wanted, world.files)
    show(changes, world)
    return DIFFERS if changes and options.exit_code else 0


def read_file(options: Namespace, world: World) -> Wanted:
    """What the file declares; nothing is asked of the cluster before that is understood."""
    if world.files.status(options.file) is None:
        raise FileMissingError(options.file, "there is no such file")
    return read_wanted(read_yaml(bytes(read_whole(world.files, options.file)), options.file))


def show(changes: list[Change], world: World) -> None:
    if world.takes(("SIGN", "CHANGE"), [(one.sign, one.text) for one in changes]):
        return
    for change in changes:
        print(change, file=world.out)
    if changes:
        print(f"{count_text(len(changes), 'change')}.", file=world.out)
    else:
        print("The cluster is as the file declares it.", file=world.out)
