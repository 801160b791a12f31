"""The tables in which groups of consumers are described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import CommittedOffset, GroupMember, GroupView, OffsetPlace
from moldau.programs.tools.command import World

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["print_members", "print_offsets", "print_states"]

MISSING = "-"
SELDOM = (
    "LEADER-EPOCH",
    "CONSUMER-ID",
    "HOST",
    "CLIENT-ID",
    "GROUP-EPOCH",
    "TARGET-ASSIGNMENT-EPOCH",
    "CURRENT-EPOCH",
    "TARGET-EPOCH",
    "TARGET-ASSIGNMENT",
)
"""What Kafka shows with --verbose, or what takes most of a line."""
WIDTH = 15
REBALANCING = ("PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling")
Committed = Mapping[TopicPartition, CommittedOffset | None]
Ends = Mapping[TopicPartition, int | None]


def print_offsets(
    admin: Admin, views: Mapping[str, GroupView], world: World, *, verbose: bool
) -> None:
    """What is committed of each partition, how far that is from its end, and who reads it."""
    for name, view in views.items():
        committed = admin.list_consumer_group_offsets(name)[name]
        parts = [part for member in view.members for part in member.assignment] + list(committed)
        ends = _ends(admin, parts)
        rows = list(_offset_rows(view, committed, ends, verbose=verbose))
        if not _is_to_be_shown(view, len(rows), world):
            continue
        heads = ["GROUP", "TOPIC", "PARTITION", *(["LEADER-EPOCH"] if verbose else [])]
        heads += ["CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "CONSUMER-ID", "HOST", "CLIENT-ID"]
        least = {"PARTITION": 10, "CLIENT-ID": 0}
        grows = ("GROUP", "TOPIC", "CONSUMER-ID", "HOST")
        _print_before(heads, rows, least, grows, world)


def _ends(admin: Admin, parts: Sequence[TopicPartition]) -> dict[TopicPartition, int | None]:
    if not parts:
        return {}
    found = admin.list_offsets(dict.fromkeys(parts, OffsetPlace.LATEST))
    return {part: view.offset for part, view in found.values.items()}


def _offset_rows(
    view: GroupView, committed: Committed, ends: Ends, *, verbose: bool
) -> Iterator[list[object]]:
    """Members with most partitions first, then what no member reads."""
    left = {part for part, offset in committed.items() if offset is not None}
    reading = [member for member in view.members if member.assignment]
    for member in sorted(reading, key=lambda member: -len(member.assignment)):
        left -= set(member.assignment)
        whose = [member.member_id, member.host, member.client_id]
        for part in member.assignment:
            yield _offset_row(view.group_id, part, committed, ends, whose, verbose=verbose)
    for part in sorted(left):
        nothing = [None] * 3
        yield _offset_row(view.group_id, part, committed, ends, nothing, verbose=verbose)


def _offset_row(
    group: str,
    part: TopicPartition,
    committed: Committed,
    ends: Ends,
    whose: Sequence[str | None],
    *,
    verbose: bool,
) -> list[object]:
    found, end = committed.get(part), ends.get(part)
    offset = None if found is None else found.offset
    lag = None if offset is None or end is None else end - offset
    epoch = None if found is None else found.leader_epoch
    numbers = [*([epoch] if verbose else []), offset, end, lag]
    return [group, part.topic, part.partition, *numbers, *whose]


def _texts(row: Sequence[object]) -> list[str]:
    """Cells as they are printed."""
    return [MISSING if cell is None else str(cell) for cell in row]


def print_members(views: Mapping[str, GroupView], world: World, *, verbose: bool) -> None:
    """The members of each group, and with `verbose` what each reads and shall read."""
    for name, view in views.items():
        if not _is_to_be_shown(view, 1, world):
            continue
        has_instances = any(member.instance_id for member in view.members)
        heads = ["GROUP", "CONSUMER-ID", *(["GROUP-INSTANCE-ID"] if has_instances else [])]
        heads += ["HOST", "CLIENT-ID", "#PARTITIONS"]
        least = {"GROUP-INSTANCE-ID": 17}
        if verbose:
            heads += ["CURRENT-EPOCH", "CURRENT-ASSIGNMENT", "TARGET-EPOCH", "TARGET-ASSIGNMENT"]
            least |= {"CURRENT-ASSIGNMENT": 20, "TARGET-ASSIGNMENT": 20}
        found = [
            _member_row(name, view, member, has_instances=has_instances, verbose=verbose)
            for member in view.members
        ]
        if world.takes(heads, found, SELDOM[2:]):
            continue
        rows = [_texts(row) for row in found]
        widths = _widths(heads, rows, least, heads)
        world.out.write("\n")
        for row in (heads, *rows):
            print(_joined(row, widths), file=world.out)


def _member_row(
    group: str, view: GroupView, member: GroupMember, *, has_instances: bool, verbose: bool
) -> list[object]:
    row: list[object] = [
        group,
        member.member_id,
        *([member.instance_id or ""] if has_instances else []),
    ]
    row += [member.host, member.client_id, len(member.assignment)]
    if verbose:
        target = None if member.target is None else _assignment(member.target)
        row += [member.epoch, _assignment(member.assignment), view.assignment_epoch, target]
    return row


def _assignment(parts: Sequence[TopicPartition]) -> str | None:
    """As `orders:0,1;bills:2`."""
    by_topic: dict[str, list[str]] = {}
    for part in sorted(parts):
        by_topic.setdefault(part.topic, []).append(str(part.partition))
    texts = [f"{topic}:{','.join(numbers)}" for topic, numbers in by_topic.items()]
    return ";".join(texts) or None


def print_states(views: Mapping[str, GroupView], world: World, *, verbose: bool) -> None:
    """What each group is doing, and at which broker."""
    for name, view in views.items():
        if not _is_to_be_shown(view, 1, world):
            continue
        node = view.coordinator
        place = None if node is None else f"{node.host}:{node.port}  ({node.node_id})"
        heads = ["GROUP", "COORDINATOR (ID)", "ASSIGNMENT-STRATEGY", "STATE"]
        row: list[object] = [name, place, view.assignor or None, view.state]
        if verbose:
            heads += ["GROUP-EPOCH", "TARGET-ASSIGNMENT-EPOCH"]
            row += [view.epoch, view.assignment_epoch]
        heads.append("#MEMBERS")
        row.append(len(view.members))
        least = {
            "COORDINATOR (ID)": 25,
            "ASSIGNMENT-STRATEGY": 20,
            "STATE": 20,
            "TARGET-ASSIGNMENT-EPOCH": 25,
            "#MEMBERS": 0,
        }
        _print_before(heads, [row], least, ("GROUP", "COORDINATOR (ID)"), world)


def _is_to_be_shown(view: GroupView, count: int, world: World) -> bool:
    """With a remark on groups that are not at work."""
    if view.state == "Dead":
        print(f"\nError: Consumer group '{view.group_id}' does not exist.", file=world.out)
        return False
    if view.state == "Empty":
        world.errors.write(f"\nConsumer group '{view.group_id}' has no active members.\n")
    elif view.state in REBALANCING:
        world.errors.write(f"\nWarning: Consumer group '{view.group_id}' is rebalancing.\n")
    return count > 0


def _print_before(
    heads: Sequence[str],
    found: Sequence[Sequence[object]],
    least: Mapping[str, int],
    grows: Sequence[str],
    world: World,
) -> None:
    """Each line after its line end, and one more at the end."""
    if world.takes(heads, found, SELDOM):
        return
    rows = [_texts(row) for row in found]
    widths = _widths(heads, rows, least, grows)
    for row in (heads, *rows):
        world.out.write("\n" + _joined(row, widths))
    world.out.write("\n")


def _widths(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    least: Mapping[str, int],
    grows: Sequence[str],
) -> list[int]:
    widths = []
    for index, head in enumerate(heads):
        longest = max((len(row[index]) for row in rows), default=0) if head in grows else 0
        widths.append(max(least.get(head, WIDTH), longest))
    return widths


def _joined(row: Sequence[str], widths: Sequence[int]) -> str:
    return " ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True))
