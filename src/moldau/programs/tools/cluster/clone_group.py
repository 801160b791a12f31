"""`moldau clone-group FROM TO`: one group goes on where another one is."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import CommittedOffset
from moldau.errors import MoldauError
from moldau.programs.tools.cluster.connecting import admin_for, declare_cluster
from moldau.programs.tools.cluster.tables import write_table
from moldau.programs.tools.command import World, declare_output

if TYPE_CHECKING:
    from moldau.client.admin import Admin


HEADS = ("TOPIC", "PARTITION", "OFFSET NOW", "NEW OFFSET")


class GroupInUseError(MoldauError):
    """A group with members decides itself where it goes on."""


def declare(parser: ArgumentParser) -> None:
    declare_cluster(parser)
    declare_output(parser)
    parser.add_argument("source", metavar="FROM", help="the group whose offsets are copied")
    parser.add_argument("target", metavar="TO", help="the group that gets them; has no members")
    parser.add_argument(
        "--topic", action="append", metavar="TOPIC", help="only this topic; may be repeated"
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what would change")


def run(options: Namespace, world: World) -> int:
    with admin_for(options, world) as admin:
        wanted = _offsets(admin, options.source)
        if options.topic:
            wanted = {part: one for part, one in wanted.items() if part.topic in options.topic}
        if not wanted:
            raise MoldauError(f"group {options.source} has no committed offsets there to copy")
        now = _offsets(admin, options.target)
        changed = {
            part: one
            for part, one in wanted.items()
            if part not in now or now[part].offset != one.offset
        }
        _refuse_members(admin, options.target)
        if changed and not options.dry_run:
            admin.alter_consumer_group_offsets(options.target, changed).all()
    _show(options, world, now, changed)
    return 0


def _show(
    options: Namespace,
    world: World,
    now: dict[TopicPartition, CommittedOffset],
    changed: dict[TopicPartition, CommittedOffset],
) -> None:
    rows = [
        (part.topic, part.partition, now[part].offset if part in now else None, one.offset)
        for part, one in sorted(changed.items())
    ]
    if world.takes(HEADS, rows):
        return
    if not changed:
        print(f"Group {options.target} is already where {options.source} is.", file=world.out)
        return
    write_table(HEADS, rows, world.out)
    if options.dry_run:
        print("Nothing was changed (--dry-run).", file=world.out)


def _offsets(admin: Admin, group: str) -> dict[TopicPartition, CommittedOffset]:
    found = admin.list_consumer_group_offsets(group)[group]
    return {part: offset for part, offset in found.items() if offset is not None}


def _refuse_members(admin: Admin, group: str) -> None:
    if group not in admin.list_groups().values:
        return
    members = admin.describe_consumer_groups(group)[group].members
    if members:
        first = members[0]
        raise GroupInUseError(
            f"group {group} has members, such as {first.client_id} at {first.host}: stop them "
            "first, or they go on where they are"
        )
