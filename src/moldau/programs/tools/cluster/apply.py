"""`moldau apply FILE`: a cluster becomes what a file of YAML declares, which is shown first."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from moldau.errors import MoldauError
from moldau.programs.tools.cluster.changes import Change, changes_of
from moldau.programs.tools.cluster.connecting import admin_for
from moldau.programs.tools.cluster.plan import declare_file, read_file, show
from moldau.programs.tools.cluster.tables import count_text
from moldau.programs.tools.command import World, declare_output

if TYPE_CHECKING:
    from moldau.client.admin import Admin


FAILED = 1
YES = (b"y", b"yes")


def declare(parser: ArgumentParser) -> None:
    declare_file(parser)
    declare_output(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask before")
    parser.add_argument("--dry-run", action="store_true", help="only show the changes")


def run(options: Namespace, world: World) -> int:
    if world.rows is not None and not options.yes and not options.dry_run:
        raise MoldauError("with --output there is no question: add --yes, or --dry-run")
    wanted = read_file(options, world)
    with admin_for(options, world) as admin:
        changes = changes_of(admin, wanted, world.files)
        if world.rows is None or not changes or options.dry_run:
            show(changes, world)
        if not changes or options.dry_run:
            return 0
        if not options.yes and not _agreed(world):
            print("Nothing was changed.", file=world.out)
            return FAILED
        return _apply(admin, changes, world)


def _agreed(world: World) -> bool:
    world.out.write("Make these changes? [y/N] ")
    world.out.flush()
    answer = next(iter(world.typed), b"")
    return answer.strip().lower() in YES


def _apply(admin: Admin, changes: list[Change], world: World) -> int:
    """One after the other; what was done stays done, and is named if one fails."""
    done, code = 0, 0
    for change in changes:
        try:
            change.act(admin)
        except MoldauError as error:
            world.errors.write(f"moldau apply: {change} failed: {error}\n")
            code = FAILED
            break
        done += 1
    rows = [(one.sign, one.text, at < done) for at, one in enumerate(changes)]
    if not world.takes(("SIGN", "CHANGE", "IS-MADE"), rows):
        left = f", {count_text(len(changes) - done, 'change')} not" if code else ""
        print(f"{count_text(done, 'change')} made{left}.", file=world.out)
    return code
