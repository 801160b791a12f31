"""Tables about groups of Kafka Streams: offsets, members with their tasks, and states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import OffsetPlace, StreamsGroupView, StreamsMember, StreamsTasks, Task
from moldau.programs.tools.command import World

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["print_members", "print_states", "print_streams_offsets", "tasks_text"]

AT_REST = ("Dead", "Empty")
MISSING = "-"
SELDOM = (
    "LEADER-EPOCH",
    "TARGET-ASSIGNMENT-EPOCH",
    "TOPOLOGY-EPOCH",
    "MEMBER-PROTOCOL",
    "MEMBER-EPOCH",
    "PROCESS",
    "CLIENT-ID",
    "GROUP-EPOCH",
)
WIDTH = 15


def print_streams_offsets(
    admin: Admin, view: StreamsGroupView, world: World, *, verbose: bool
) -> None:
    """How far the group is in what its topology reads."""
    if view.state in AT_REST:
        return
    found = admin.list_consumer_group_offsets(view.group_id)[view.group_id]
    sources = {
        topic
        for part in view.subtopologies
        for topic in (*part.source_topics, *(one.name for one in part.repartition_source_topics))
    }
    topics = admin.describe_topics(sorted(sources)).values
    parts = [
        TopicPartition(name, one.partition)
        for name, topic in topics.items()
        for one in topic.partitions
    ]
    starts = admin.list_offsets(dict.fromkeys(parts, OffsetPlace.EARLIEST)).values
    ends = admin.list_offsets(dict.fromkeys(parts, OffsetPlace.LATEST)).values
    rows: list[list[object]] = []
    for part in sorted(ends):
        committed = found.get(part)
        end = ends[part].offset or 0
        start = starts[part].offset if part in starts else 0
        lag = end - (committed.offset if committed is not None else start or 0)
        row: list[object] = [view.group_id, part.topic, part.partition]
        if verbose:
            epoch = None if committed is None else committed.leader_epoch
            row += [None if committed is None else committed.offset, epoch, end]
        rows.append([*row, lag])
    heads = ["GROUP", "TOPIC", "PARTITION"]
    heads += ["CURRENT-OFFSET", "LEADER-EPOCH", "LOG-END-OFFSET"] if verbose else []
    fixed = [10, *([WIDTH] * 4)] if verbose else [10, 0]
    _print([*heads, "OFFSET-LAG"], rows, ["GROUP", "TOPIC"], fixed, world)


def print_members(view: StreamsGroupView, world: World, *, verbose: bool) -> None:
    """The tasks of each member, and with `verbose` its target."""
    if view.state in AT_REST or not view.members:
        return
    heads = ["GROUP", "MEMBER", "PROCESS", "CLIENT-ID", "ASSIGNMENTS"]
    grows = heads[:4]
    if verbose:
        heads = ["GROUP", "TARGET-ASSIGNMENT-EPOCH", "TOPOLOGY-EPOCH", "MEMBER"]
        heads += ["MEMBER-PROTOCOL", "MEMBER-EPOCH", "PROCESS", "CLIENT-ID", "ASSIGNMENTS"]
    rows = [_member_row(view, member, verbose=verbose) for member in view.members]
    fixed = {"TARGET-ASSIGNMENT-EPOCH": 25, "ASSIGNMENTS": 0}
    widths = [_width(heads, rows, place, grows, fixed) for place in range(len(heads))]
    if verbose:
        widths[2] = len("TOPOLOGY-EPOCH")
    _write(heads, rows, widths, world)


def _member_row(view: StreamsGroupView, member: StreamsMember, *, verbose: bool) -> list[object]:
    tasks = tasks_text(member.assignment)
    if not verbose:
        return [view.group_id, member.member_id, member.process_id, member.client_id, tasks]
    return [
        view.group_id,
        view.assignment_epoch,
        member.topology_epoch,
        member.member_id,
        "classic" if member.is_classic else "streams",
        member.epoch,
        member.process_id,
        member.client_id,
        f"{tasks}{tasks_text(member.target, 'TARGET-')}",
    ]


def tasks_text(tasks: StreamsTasks, prefix: str = "") -> str:
    """As `ACTIVE: 0:[1,2]; 1:[0]; STANDBY: 0:[3]; `."""
    kinds = (("ACTIVE", tasks.active), ("STANDBY", tasks.standby), ("WARMUP", tasks.warmup))
    return "".join(f"{prefix}{name}: {_by_part(found)}" for name, found in kinds if found)


def _by_part(tasks: Sequence[Task]) -> str:
    by_part: dict[str, list[str]] = {}
    for task in tasks:
        by_part.setdefault(task.subtopology, []).append(str(task.partition))
    return "".join(f"{name}:[{','.join(numbers)}]; " for name, numbers in by_part.items())


def print_states(view: StreamsGroupView, world: World, *, verbose: bool) -> None:
    """What the group is doing, and at which broker."""
    _remark(view, world)
    node = view.coordinator
    place = MISSING if node is None else f"{node.host}:{node.port} ({node.node_id})"
    epochs = [view.epoch, view.assignment_epoch] if verbose else []
    row = [view.group_id, place, view.state, *epochs, len(view.members)]
    heads = ["GROUP", "COORDINATOR (ID)", "STATE"]
    heads += ["GROUP-EPOCH", "TARGET-ASSIGNMENT-EPOCH"] if verbose else []
    heads.append("#MEMBERS")
    fixed = [25, WIDTH, 25, 0] if verbose else [25, 0]
    widths = [max(WIDTH, len(view.group_id)), max(25, len(place)), *fixed]
    _write(heads, [row], widths, world)


def _remark(view: StreamsGroupView, world: World) -> None:
    if view.state == "Dead":
        print(f"\nError: Streams group '{view.group_id}' does not exist.", file=world.out)
    elif view.state == "Empty":
        print(f"\nError: Streams group '{view.group_id}' has no active members.", file=world.out)


def _print(
    heads: Sequence[str],
    rows: Sequence[Sequence[object]],
    grows: Sequence[str],
    fixed: Sequence[int],
    world: World,
) -> None:
    widths = [
        max(WIDTH, *(len(str(row[place])) for row in rows)) if rows else WIDTH
        for place in range(len(grows))
    ]
    _write(heads, rows, [*widths, *fixed], world)


def _width(
    heads: Sequence[str],
    rows: Sequence[Sequence[object]],
    place: int,
    grows: Sequence[str],
    fixed: dict[str, int],
) -> int:
    head = heads[place]
    if head not in grows:
        return fixed.get(head, WIDTH)
    return max(WIDTH, *(len(str(row[place])) for row in rows))


def _write(
    heads: Sequence[str], found: Sequence[Sequence[object]], widths: Sequence[int], world: World
) -> None:
    if world.takes(heads, found, SELDOM):
        return
    rows = [[MISSING if cell is None else str(cell) for cell in row] for row in found]
    for row in (heads, *rows):
        cells = (f"{text:<{width}}" for text, width in zip(row, widths, strict=True))
        print(" ".join(cells), file=world.out)
