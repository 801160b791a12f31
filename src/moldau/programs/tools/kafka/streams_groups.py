"""`moldau streams-groups`: groups of Kafka Streams (KIP-1071) are listed, described and changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import GroupType, ListedGroup, StreamsGroupView
from moldau.client.errors import AccessDeniedError, RefusedError
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import admin_of
from moldau.programs.tools.kafka.flags import Given, WrongUsageError
from moldau.programs.tools.kafka.group_dry_runs import show_deletion, show_forgetting
from moldau.programs.tools.kafka.group_resets import (
    EXECUTION,
    export,
    offsets_of_file,
    offsets_wanted,
    partitions_of,
    topic_and_numbers,
    within_logs,
)
from moldau.programs.tools.kafka.group_states import list_with_states
from moldau.programs.tools.kafka.java_errors import cause_of, java_cause_of
from moldau.programs.tools.kafka.java_order import in_java_order, partitions_in_java_order
from moldau.programs.tools.kafka.streams_group_flags import FLAGS, check
from moldau.programs.tools.kafka.streams_group_tables import (
    print_members,
    print_states,
    print_streams_offsets,
)
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.client.admin import Admin, Outcomes

__all__ = ["FLAGS", "internal_topics", "run"]

FAILED = 1
AT_REST = ("Empty", "Dead")
MS_PER_SECOND = 1000
PLANNED = "\n{:<30} {:<30} {:<10} {:<15}"
MISSING = "-"


def run(given: Given, world: World) -> int:
    action = check(given)
    for flag in ("to-offset", "shift-by"):
        given.number(flag)  # wrong ones are refused whatever is done
    try:
        timeout_ms = given.number("timeout") or 0
        with admin_of(given, world) as admin:
            _act(given, action, admin.within(timeout_ms / MS_PER_SECOND), world)
    except WrongUsageError:
        raise
    except MoldauError as error:
        cause = java_cause_of(error)
        print(f"\nError: Executing streams group command failed due to {cause}", file=world.out)
        return FAILED
    return 0


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
            _reset(given, admin, groups, world)
        case _:
            _delete_offsets(given, admin, groups[0], world)


def _listed(admin: Admin) -> dict[str, ListedGroup]:
    return admin.list_groups(types=[GroupType.STREAMS]).all()


def _list(given: Given, admin: Admin, world: World) -> None:
    groups = _listed(admin)
    if not list_with_states(given, groups, world):
        for name in in_java_order(groups):
            print(name, file=world.out)


def _describe(given: Given, admin: Admin, groups: Sequence[str], world: World) -> None:
    verbose = given.has("verbose") or world.rows is not None
    for view in _views(admin, groups).values():
        if given.has("members"):
            print_members(view, world, verbose=verbose)
        elif given.has("state"):
            print_states(view, world, verbose=verbose)
        else:
            print_streams_offsets(admin, view, world, verbose=verbose)


def _views(admin: Admin, groups: Sequence[str]) -> Mapping[str, StreamsGroupView]:
    return admin.describe_streams_groups(groups).all()


def _delete(given: Given, admin: Admin, groups: Sequence[str], world: World) -> None:
    if given.has("dry-run"):
        show_deletion(groups, _listed(admin), world, "streams")
        return
    states = {name: group.state for name, group in _listed(admin).items()}
    failed = {name: _objection(name, states) for name in groups}
    able = [name for name in groups if not failed[name]]
    views = _views(admin, able) if able else {}
    outcomes = admin.delete_groups(able)
    failed |= {name: java_cause_of(error) for name, error in outcomes.errors.items()}
    failed = {name: why for name, why in failed.items() if why}
    done = [name for name in groups if name not in failed]
    if failed:
        print("\nError: Deletion of some streams groups failed:", file=world.out)
        for name, why in failed.items():
            print(f"* Group '{name}' could not be deleted due to: {why}", file=world.out)
        if done:
            shown = "', '".join(done)
            text = f"\nThese streams groups were deleted successfully: '{shown}'."
            print(text, file=world.out)
    else:
        shown = "', '".join(done)
        text = f"Deletion of requested streams groups ('{shown}') was successful."
        print(text, file=world.out)
    if given.has("delete-all-internal-topics"):
        _delete_internal(admin, {name: internal_topics(views[name]) for name in done}, world)


def _objection(name: str, states: Mapping[str, str]) -> str:
    """Why a group is not even asked to go."""
    if name not in states:
        return (
            f"java.lang.IllegalArgumentException: Group '{name}' does not exist or is not a "
            "streams group."
        )
    if states[name] not in AT_REST:
        return (
            "org.apache.kafka.common.errors.GroupNotEmptyException: Streams group "
            f"'{name}' is not EMPTY."
        )
    return ""


def internal_topics(view: StreamsGroupView) -> list[str]:
    """What the application made for itself, by its topology."""
    found = {
        topic.name
        for part in view.subtopologies
        for topic in (*part.changelog_topics, *part.repartition_source_topics)
    }
    return sorted(found)


def _delete_internal(admin: Admin, topics: Mapping[str, Sequence[str]], world: World) -> None:
    done = []
    for group, names in topics.items():
        errors = admin.delete_topics(names).errors if names else {}
        for error in errors.values():
            print(
                f"* Internal topics of the streams group '{group}' could not be deleted due to: "
                f"{cause_of(error)}",
                file=world.out,
            )
        done += [] if errors or not names else [group]
    if done:
        shown = "', '".join(done)
        print(
            f"Deletion of associated internal topics of the streams groups ('{shown}') was "
            "successful.",
            file=world.out,
        )


def _reset(given: Given, admin: Admin, groups: Sequence[str], world: World) -> None:
    views = admin.describe_streams_groups(groups)
    planned: dict[str, Mapping[TopicPartition, int]] = {}
    for name in in_java_order(groups):
        state = _state_of(name, views)
        if state not in AT_REST:
            print(
                f"\nError: Assignments can only be reset if the group '{name}' is inactive, but "
                f"the current state is {state}.",
                file=world.out,
            )
            planned[name] = {}
            continue
        planned[name] = _plan(given, admin, name, world)
        if given.has("execute"):
            _move(given, admin, name, planned[name], views.values.get(name), world)
    if given.has("export"):
        export(planned, world, with_groups=len(groups) != 1)
    else:
        _print_planned(planned, world)


def _state_of(group: str, views: Outcomes[str, StreamsGroupView]) -> str:
    """A group that is not there has no members either."""
    error = views.errors.get(group)
    if isinstance(error, RefusedError) and error.error is ErrorCode.GROUP_ID_NOT_FOUND:
        return "Dead"
    if error is not None:
        raise error
    return views.values[group].state


def _plan(given: Given, admin: Admin, group: str, world: World) -> Mapping[TopicPartition, int]:
    parts = _scope(given, admin, group, world)
    if given.has("from-file"):
        wanted = offsets_of_file(world.files, given.text("from-file") or "", group)
        return within_logs(admin, wanted, world)
    if given.has("shift-by") or given.has("to-current"):
        _committed_inputs(admin, group)  # which are looked for in a group that is there alone
    return offsets_wanted(given, admin, group, parts, world)


def _print_planned(planned: Mapping[str, Mapping[TopicPartition, int]], world: World) -> None:
    if planned:
        world.out.write(PLANNED.format("GROUP", "TOPIC", "PARTITION", "NEW-OFFSET"))
    for group, offsets in planned.items():
        for part in partitions_in_java_order(offsets):
            world.out.write(PLANNED.format(group, part.topic, part.partition, offsets[part]))
    world.out.write("\n")


def _move(
    given: Given,
    admin: Admin,
    group: str,
    offsets: Mapping[TopicPartition, int],
    view: StreamsGroupView | None,
    world: World,
) -> None:
    if offsets:
        admin.alter_consumer_group_offsets(group, offsets).all()
    if view is None:
        return
    internal = internal_topics(view)
    named = given.texts("delete-internal-topic")
    chosen = named if named else internal if given.has("delete-all-internal-topics") else []
    foreign = [topic for topic in named if topic not in internal]
    for topic in foreign:
        print(
            f"The internal topic '{topic}' is not inferred as internal and thus will not be "
            f"deleted with the group '{group}'.",
            file=world.out,
        )
    known = [topic for topic in chosen if topic not in foreign]
    if known:
        _delete_internal(admin, {group: known}, world)


def _scope(given: Given, admin: Admin, group: str, world: World) -> list[TopicPartition]:
    """The partitions of input topics that are named, if the group has been in all of them."""
    if given.has("all-input-topics"):
        return _committed_inputs(admin, group)
    if not given.has("input-topic"):
        if not given.has("from-file"):
            raise WrongUsageError(
                "One of the reset scopes should be defined: --all-topics, --topic."
            )
        return []
    parts = partitions_of(given.texts("input-topic"), admin)
    found = admin.list_consumer_group_offsets(group)[group]
    if all(found.get(part) is not None for part in parts):
        return parts
    print(f"\nError: One or more topics are not part of the group '{group}'.", file=world.out)
    return []


def _committed_inputs(admin: Admin, group: str) -> list[TopicPartition]:
    """Of topics that the topology reads; Java's tool names a refusal by where it ran, too."""
    try:
        view = _views(admin, [group])[group]
    except (AccessDeniedError, RefusedError) as error:
        raise MoldauError(f"{EXECUTION}{java_cause_of(error)}") from error
    sources = {topic for part in view.subtopologies for topic in part.source_topics}
    found = admin.list_consumer_group_offsets(group)[group]
    return sorted(part for part in found if part.topic in sources and found[part] is not None)


def _named_parts(admin: Admin, texts: Iterable[str]) -> list[TopicPartition]:
    parts, whole = [], []
    for text in texts:
        topic, numbers = topic_and_numbers(text)
        parts += [TopicPartition(topic, number) for number in numbers or ()]
        whole += [topic] if numbers is None else []
    for name, view in admin.describe_topics(whole).all().items() if whole else ():
        parts += [TopicPartition(name, part.partition) for part in view.partitions]
    return parts


def _delete_offsets(given: Given, admin: Admin, group: str, world: World) -> None:
    parts, unknown = _inputs(given, admin, group)
    if given.has("dry-run"):
        show_forgetting(group, sorted(parts), world)
        return
    outcomes = admin.delete_consumer_group_offsets(group, parts)
    print(_verdict(admin, group, outcomes.errors.values()), file=world.out)
    rows: list[tuple[str, object, str]] = [
        (topic, MISSING, f"Error: {java_cause_of(why)}") for topic, why in unknown.items()
    ]
    for part in parts:
        failed = outcomes.errors.get(part)
        status = "Successful" if failed is None else f"Error: {java_cause_of(failed)}"
        rows.append((part.topic, part.partition, status))
    width = max([15, *(len(topic) for topic, _, _ in rows)])
    line = f"\n{{:<{width}}} {{:<10}} {{:<15}}"
    world.out.write(line.format("TOPIC", "PARTITION", "STATUS"))
    for row in sorted(rows, key=lambda row: f"{row[0]}{row[1]}"):
        world.out.write(line.format(*row))
    world.out.write("\n")


def _inputs(
    given: Given, admin: Admin, group: str
) -> tuple[list[TopicPartition], dict[str, MoldauError]]:
    """The partitions that are meant, and topics that are not there."""
    if given.has("all-input-topics"):
        return _committed_inputs(admin, group), {}
    parts: list[TopicPartition] = []
    unknown: dict[str, MoldauError] = {}
    for text in given.texts("input-topic"):
        try:
            parts += _named_parts(admin, [text])
        except (AccessDeniedError, RefusedError) as error:
            unknown[text] = error
    return parts, unknown


def _verdict(admin: Admin, group: str, errors: Collection[MoldauError]) -> str:
    absent = [
        isinstance(one, RefusedError) and one.error is ErrorCode.GROUP_ID_NOT_FOUND
        for one in errors
    ]
    if any(absent) or (not errors and group not in _listed(admin)):
        return "\nError: The group id does not exist."
    if errors:
        return "\nError: Encountered some partition-level error, see the follow-up details."
    return f"Request succeeded for deleting offsets from group {group}."
