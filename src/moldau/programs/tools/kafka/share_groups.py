"""`moldau share-groups`: share groups are listed, described, reset and deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import GroupType, GroupView, ListedGroup, OffsetPlace
from moldau.client.errors import RefusedError
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, admin_of
from moldau.programs.tools.kafka.flags import (
    OUTPUT,
    Flag,
    Given,
    Takes,
    WrongUsageError,
    WrongValueError,
    only_one_of,
    refuse_unavailable,
)
from moldau.programs.tools.kafka.group_dry_runs import show_deletion, show_forgetting
from moldau.programs.tools.kafka.group_resets import at_time, partitions_of, time_ms
from moldau.programs.tools.kafka.group_states import (
    AVAILABLE_WITH,
    check_states,
    check_ways,
    list_with_states,
    need_groups,
)
from moldau.programs.tools.kafka.java_errors import cause_of, java_cause_of
from moldau.programs.tools.kafka.java_order import in_java_order, partitions_in_java_order
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "run"]

ACTIONS = ("list", "describe", "delete", "reset-offsets", "delete-offsets")
ACTIONS_WANTED = (
    "Command must include exactly one action: --list, --describe, --delete, --reset-offsets, "
    "--delete-offsets."
)
STATES = ("Dead", "Empty", "Stable")
SCENARIOS = ("to-datetime", "to-earliest", "to-latest")
MISSING = "-"
SELDOM = ("LEADER-EPOCH", "HOST", "CLIENT-ID", "MEMBER-EPOCH", "GROUP-EPOCH", "ASSIGNMENT-EPOCH")
MS_PER_SECOND = 1000
WIDTH = 15

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag("list", "List share groups."),
    Flag("describe", "Show offsets and lag, or members, or states, of groups."),
    Flag("delete", "Delete groups that have no members."),
    Flag("reset-offsets", "Move where a group without members begins."),
    Flag("delete-offsets", "Forget where a group is in topics."),
    Flag("group", "A group; may be repeated.", Takes.TEXT, "GROUP"),
    Flag("all-groups", "All share groups."),
    Flag("topic", "A topic, or TOPIC:0,1 for partitions; may be repeated.", Takes.TEXT, "TOPIC"),
    Flag("all-topics", "Every topic that the group has read."),
    Flag("to-earliest", "To where logs begin."),
    Flag("to-latest", "To where logs end."),
    Flag("to-datetime", "To this time: 2030-01-31T12:00:00.000.", Takes.TEXT, "TIME"),
    Flag("dry-run", "Show what would be done."),
    Flag("execute", "Do it."),
    Flag("members", "Describe members."),
    Flag("offsets", "Describe offsets, as without it."),
    Flag("state", "Describe states; with --list show them, or these alone.", Takes.MAYBE, "STATES"),
    Flag("verbose", "Describe more."),
    Flag("timeout", "How long a call may take (ms).", Takes.LONG, default="30000"),
)


def run(given: Given, world: World) -> int:
    action = _check(given)
    try:
        timeout_ms = given.number("timeout") or 0
        with admin_of(given, world) as admin:
            _act(given, action, admin.within(timeout_ms / MS_PER_SECOND), world)
    except MoldauError as error:
        if isinstance(error, WrongUsageError) and not isinstance(error, WrongValueError):
            raise
        cause = java_cause_of(error)
        print(f"\nError: Executing share group command failed due to {cause}", file=world.out)
    return 0


def _check(given: Given) -> str:
    refuse_unavailable(given, AVAILABLE_WITH)
    given.need("bootstrap-server")
    if given.has("describe"):
        need_groups(given, "describe")
        check_ways(given)
    given.refuse("topic", ["describe"])
    action = only_one_of(given, ACTIONS, ACTIONS_WANTED)
    if action == "delete":
        _check_deleted(given)
    if action == "delete-offsets" and not (given.has("group") and given.has("topic")):
        raise WrongUsageError(
            "Option [delete-offsets] takes the following options: [group], [topic]"
        )
    if action == "reset-offsets":
        _check_reset(given)
    if action == "list":
        check_states(given, STATES)
    return action


def _check_deleted(given: Given) -> None:
    if not given.has("group") and not given.has("all-groups"):
        raise WrongUsageError("Option [delete] takes the options [group] or [all-groups]")
    if given.has("group") and given.has("all-groups"):
        raise WrongUsageError("Option [delete] takes either [group] or [all-groups], not both.")
    if given.has("topic"):
        raise WrongUsageError("Option [delete] does not take the option: [topic]")


def _check_reset(given: Given) -> None:
    if given.has("dry-run") and given.has("execute"):
        raise WrongUsageError("Option [reset-offsets] only accepts one of [execute] and [dry-run]")
    if not given.has("dry-run") and not given.has("execute"):
        raise WrongUsageError("Option [reset-offsets] takes the option: [execute] or [dry-run]")
    if not given.has("group"):
        raise WrongUsageError("Option [reset-offsets] takes the option: [group]")
    if not given.has("all-topics") and not given.has("topic"):
        raise WrongUsageError(
            "Option [reset-offsets] takes one of these options: [all-topics], [topic]"
        )
    if not any(given.has(scenario) for scenario in SCENARIOS):
        shown = ", ".join(f"[{scenario}]" for scenario in SCENARIOS)
        raise WrongUsageError(f"Option [reset-offsets] takes one of these options: {shown}")
    for scenario in SCENARIOS:
        given.refuse(scenario, [other for other in SCENARIOS if other != scenario])


def _act(given: Given, action: str, admin: Admin, world: World) -> None:
    if action == "list":
        _list(given, admin, world)
        return
    groups = sorted(_listed(admin)) if given.has("all-groups") else given.texts("group")
    match action:
        case "describe":
            _describe(given, admin, groups, world)
        case "delete":
            _delete(given, admin, groups, world)
        case "reset-offsets":
            _reset(given, admin, world)
        case _:
            _delete_offsets(given, admin, world)


def _listed(admin: Admin) -> dict[str, ListedGroup]:
    return admin.list_groups(types=[GroupType.SHARE]).all()


def _list(given: Given, admin: Admin, world: World) -> None:
    groups = _listed(admin)
    if not list_with_states(given, groups, world):
        print("\n".join(in_java_order(groups)), file=world.out)


def _describe(given: Given, admin: Admin, groups: Sequence[str], world: World) -> None:
    views = admin.describe_share_groups(groups).all()
    verbose = given.has("verbose") or world.rows is not None
    for name in in_java_order(views):
        view = views[name]
        if given.has("members"):
            _print_members(view, world, verbose=verbose)
        elif given.has("state"):
            _print_state(view, world, verbose=verbose)
        else:
            _print_offsets(admin, view, world, verbose=verbose)


def _print_offsets(admin: Admin, view: GroupView, world: World, *, verbose: bool) -> None:
    found = admin.list_share_group_offsets(view.group_id)[view.group_id]
    if not found:
        print(f"\nShare group '{view.group_id}' has no offset information.", file=world.out)
        return
    heads = ["GROUP", "TOPIC", "PARTITION", *(["LEADER-EPOCH"] if verbose else [])]
    heads += ["START-OFFSET", "LAG"]
    rows: list[list[object]] = []
    for part, place in sorted(found.items()):
        numbers: list[int | None] = [None, None, None]
        if place is not None:
            numbers = [place.leader_epoch, place.start_offset, place.lag]
        rows.append([view.group_id, part.topic, part.partition, *numbers[0 if verbose else 1 :]])
    widths = [_grown("GROUP", heads, rows), _grown("TOPIC", heads, rows), 10]
    widths += [13] * (len(heads) - 4) + [0]
    _print(heads, rows, widths, world)


def _grown(head: str, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> int:
    index = heads.index(head)
    return max(WIDTH, *(len(str(row[index])) for row in rows))


def _print(
    heads: Sequence[str], found: Sequence[Sequence[object]], widths: Sequence[int], world: World
) -> None:
    if world.takes(heads, found, SELDOM):
        return
    rows = [[MISSING if cell is None else str(cell) for cell in row] for row in found]
    for row in (heads, *rows):
        line = " ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True))
        world.out.write("\n" + line)
    world.out.write("\n")


def _is_empty(view: GroupView, world: World) -> bool:
    if view.state == "Empty":
        world.errors.write(f"\nShare group '{view.group_id}' has no active members.\n")
        return True
    return False


def _print_members(view: GroupView, world: World, *, verbose: bool) -> None:
    if _is_empty(view, world) or not view.members:
        return
    heads = ["GROUP", "CONSUMER-ID", "HOST", "CLIENT-ID", "#PARTITIONS"]
    heads += [*(["MEMBER-EPOCH"] if verbose else []), "ASSIGNMENT"]
    rows: list[list[object]] = []
    for member in view.members:
        row: list[object] = [view.group_id, member.member_id, member.host, member.client_id]
        row += [len(member.assignment), *([member.epoch] if verbose else [])]
        rows.append([*row, _assignment(member.assignment)])
    widths = [_grown(head, heads, rows) for head in heads[:4]]
    widths += [12] * (len(heads) - 5) + [0]
    _print(heads, rows, widths, world)


def _assignment(parts: Sequence[TopicPartition]) -> str | None:
    by_topic: dict[str, list[str]] = {}
    for part in sorted(parts):
        by_topic.setdefault(part.topic, []).append(str(part.partition))
    texts = [f"{topic}:{','.join(numbers)}" for topic, numbers in by_topic.items()]
    return ";".join(texts) or None


def _print_state(view: GroupView, world: World, *, verbose: bool) -> None:
    _is_empty(view, world)
    node = view.coordinator
    place = None if node is None else f"{node.host}:{node.port}  ({node.node_id})"
    heads = ["GROUP", "COORDINATOR (ID)", "STATE"]
    row: list[object] = [view.group_id, place, view.state]
    widths = [max(WIDTH, len(view.group_id)), max(25, len(place or MISSING)), 15]
    if verbose:
        heads += ["GROUP-EPOCH", "ASSIGNMENT-EPOCH"]
        row += [view.epoch, view.assignment_epoch]
        widths += [12, 17]
    _print([*heads, "#MEMBERS"], [[*row, len(view.members)]], [*widths, 0], world)


def _delete(given: Given, admin: Admin, groups: Sequence[str], world: World) -> None:
    known = _listed(admin)
    if given.has("dry-run"):
        show_deletion(groups, known, world, "share")
        return
    wrong: dict[str, str] = {
        name: f"java.lang.IllegalArgumentException: Group '{name}' is not a share group."
        for name in groups
        if name not in known
    }
    outcomes = admin.delete_groups([name for name in groups if name in known])
    wrong |= {name: java_cause_of(error) for name, error in outcomes.errors.items()}
    done = ", ".join(f"'{name}'" for name in outcomes.values)
    if not wrong:
        print(f"Deletion of requested share groups ({done}) was successful.", file=world.out)
        return
    print("\nError: Deletion of some share groups failed:", file=world.out)
    for name, why in wrong.items():
        print(f"* Group '{name}' could not be deleted due to: {why}", file=world.out)
    if outcomes.values:
        print(f"\nThese share groups were deleted successfully: {done}", file=world.out)


def _reset(given: Given, admin: Admin, world: World) -> None:
    group = given.text("group") or ""
    states = {name: one.state for name, one in _listed(admin).items()}
    if states.get(group, "Empty") not in ("Empty", "Dead"):
        raise WrongUsageError(f"Share group '{group}' is not empty.")
    parts = _partitions(given, admin, group)
    offsets = _offsets(given, admin, parts, world)
    if given.has("execute"):
        _move(admin, group, offsets)
    rows = [[group, part.topic, str(part.partition), str(offsets[part])] for part in sorted(parts)]
    heads = ["GROUP", "TOPIC", "PARTITION", "NEW-OFFSET"]
    widths = [_grown("GROUP", heads, [heads, *rows]), _grown("TOPIC", heads, [heads, *rows]), 10]
    _print(heads, rows, [*widths, 0], world)


def _move(admin: Admin, group: str, offsets: Mapping[TopicPartition, int]) -> None:
    errors = admin.alter_share_group_offsets(group, offsets).errors
    if errors:
        parts = ", ".join(map(str, partitions_in_java_order(errors)))
        cause = java_cause_of(next(iter(errors.values())))
        raise MoldauError(
            f"Failed altering group offsets for the following partitions: [{parts}]\n{cause}"
        )


def _partitions(given: Given, admin: Admin, group: str) -> list[TopicPartition]:
    if given.has("all-topics"):
        return list(admin.list_share_group_offsets(group)[group])
    return partitions_of(given.texts("topic"), admin)


def _offsets(
    given: Given, admin: Admin, parts: Sequence[TopicPartition], world: World
) -> Mapping[TopicPartition, int]:
    place = OffsetPlace.LATEST
    text = given.text("to-datetime")
    if text is not None:
        return at_time(admin, parts, time_ms(text), world)
    if given.has("to-earliest"):
        place = OffsetPlace.EARLIEST
    found = admin.list_offsets(dict.fromkeys(parts, place)).all() if parts else {}
    return {part: view.offset or 0 for part, view in found.items()}


def _delete_offsets(given: Given, admin: Admin, world: World) -> None:
    group, topics = given.text("group") or "", given.texts("topic")
    if given.has("dry-run"):
        show_forgetting(group, topics, world)
        return
    outcomes = admin.delete_share_group_offsets(group, topics)
    error = next(iter(outcomes.errors.values()), None)
    if isinstance(error, RefusedError) and error.error is ErrorCode.GROUP_ID_NOT_FOUND:
        print(f"\nError: {cause_of(error)}", file=world.out)
    rows = [
        [
            name,
            f"Error: {cause_of(outcomes.errors[name])}"
            if name in outcomes.errors
            else "Successful",
        ]
        for name in topics
    ]
    _print(["TOPIC", "STATUS"], rows, [WIDTH, 0], world)
