"""`moldau streams-groups`: groups of Kafka Streams (KIP-1071) are listed, described and changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import GroupType, ListedGroup, StreamsGroupView
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, admin_of
from moldau.programs.tools.kafka.flags import (
    OUTPUT,
    Flag,
    Given,
    Takes,
    WrongUsageError,
    only_one_of,
)
from moldau.programs.tools.kafka.group_dry_runs import show_deletion, show_forgetting
from moldau.programs.tools.kafka.group_resets import FLAGS as RESET_FLAGS
from moldau.programs.tools.kafka.group_resets import (
    SCENARIOS,
    export,
    offsets_of_file,
    offsets_wanted,
    topic_and_numbers,
)
from moldau.programs.tools.kafka.group_states import check_states, list_with_states
from moldau.programs.tools.kafka.java_errors import cause_of, java_cause_of
from moldau.programs.tools.kafka.java_order import in_java_order
from moldau.programs.tools.kafka.streams_group_tables import (
    print_members,
    print_states,
    print_streams_offsets,
)

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "internal_topics", "run"]

FAILED = 1
ACTIONS = ("list", "describe", "delete", "reset-offsets", "delete-offsets")
ACTIONS_WANTED = (
    "Command must include exactly one action: --list, --describe, --delete, --reset-offsets, or "
    "--delete-offsets."
)
STATES = ("NotReady", "Reconciling", "Empty", "Assigning", "Dead", "Stable")
WAYS = ("members", "offsets", "state")
AT_REST = ("Empty", "Dead")
MS_PER_SECOND = 1000
PLANNED = "\n{:<30} {:<30} {:<10} {:<15}"

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag("list", "List streams groups."),
    Flag("describe", "Show offsets and lag, or members, or states, of groups."),
    Flag("delete", "Delete groups that have no members."),
    Flag("reset-offsets", "Move where a group without members reads on."),
    Flag("delete-offsets", "Forget where a group is in input topics."),
    Flag("group", "A group; may be repeated.", Takes.TEXT, "GROUP"),
    Flag("all-groups", "All streams groups."),
    Flag("input-topic", "An input topic, or TOPIC:0,1; may be repeated.", Takes.TEXT, "TOPIC"),
    Flag("all-input-topics", "Every topic that the topology reads."),
    Flag("delete-all-internal-topics", "Delete what the application keeps in topics of its own."),
    Flag("delete-internal-topic", "Delete this one of them; may be repeated.", Takes.TEXT, "TOPIC"),
    *(flag for flag in RESET_FLAGS if flag.name != "all-topics"),
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
    except WrongUsageError:
        raise
    except MoldauError as error:
        cause = java_cause_of(error)
        print(f"\nError: Executing streams group command failed due to {cause}", file=world.out)
        return FAILED
    return 0


def _check(given: Given) -> str:
    given.need("bootstrap-server")
    if given.has("describe"):
        _check_described(given)
    action = only_one_of(given, ACTIONS, ACTIONS_WANTED)
    given.refuse("group", ["all-groups", "list"])
    if given.has("verbose") and action != "describe":
        raise WrongUsageError(
            "Option(s) [verbose] are unavailable given other options on the command line"
        )
    match action:
        case "list":
            check_states(given, STATES)
        case "describe":
            pass
        case "delete":
            _need_groups(given, action)
        case "reset-offsets":
            _check_reset(given)
        case _:
            _check_deleted(given)
    return action


def _check_described(given: Given) -> None:
    _need_groups(given, "describe")
    if sum(given.has(way) for way in WAYS) > 1:
        raise WrongUsageError(
            "Option [describe] takes at most one of these options: [members], [offsets], [state]"
        )
    if given.text("state") is not None:
        raise WrongUsageError("Option [describe] does not take a value for [state]")


def _need_groups(given: Given, action: str) -> None:
    if not given.has("group") and not given.has("all-groups"):
        raise WrongUsageError(
            f"Option [{action}] takes one of these options: [all-groups], [group]"
        )


def _check_deleted(given: Given) -> None:
    scoped = given.has("input-topic") or given.has("all-input-topics")
    if not given.has("group") or not scoped:
        raise WrongUsageError(
            "Option [delete-offsets] takes the [group] and one of these options: "
            "[all-input-topics], [input-topic]"
        )
    groups = given.texts("group")
    if len(groups) > 1:
        raise WrongUsageError(
            "Option [delete-offsets] supports only one [group] at a time, but found: "
            f"[{', '.join(groups)}]"
        )


def _check_reset(given: Given) -> None:
    if given.has("dry-run") and given.has("execute"):
        raise WrongUsageError("Option [reset-offsets] only accepts one of [execute] and [dry-run]")
    if not given.has("dry-run") and not given.has("execute"):
        raise WrongUsageError("Option [reset-offsets] takes the option: [execute] or [dry-run]")
    _need_groups(given, "reset-offsets")
    for scenario in SCENARIOS:
        given.refuse(scenario, [other for other in SCENARIOS if other != scenario])
    for flag in ("delete-all-internal-topics", "delete-internal-topic"):
        if given.has(flag) and not given.has("execute"):
            raise WrongUsageError(f"Option [{flag}] takes [execute] when [reset-offsets] is used.")


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
    if not (given.has("input-topic") or given.has("all-input-topics") or given.has("from-file")):
        raise WrongUsageError("One of the reset scopes should be defined: --all-topics, --topic.")
    planned: dict[str, Mapping[TopicPartition, int]] = {}
    for name in groups:
        planned[name] = {}
        parts = _scope(given, admin, name, world)
        state = _views(admin, [name])[name].state
        if state not in AT_REST:
            print(
                f"\nError: Assignments can only be reset if the group '{name}' is inactive, but "
                f"the current state is {state}.",
                file=world.out,
            )
            continue
        if given.has("from-file"):
            path = given.text("from-file") or ""
            planned[name] = offsets_of_file(world.files, path, name)
        elif parts:
            planned[name] = offsets_wanted(given, admin, name, parts, world)
        if given.has("execute"):
            _move(given, admin, name, planned[name], world)
    if given.has("export"):
        export(planned, world, with_groups=len(groups) != 1)
    else:
        _print_planned(planned, world)


def _print_planned(planned: Mapping[str, Mapping[TopicPartition, int]], world: World) -> None:
    world.out.write(PLANNED.format("GROUP", "TOPIC", "PARTITION", "NEW-OFFSET"))
    for group, offsets in planned.items():
        for part, offset in sorted(offsets.items()):
            world.out.write(PLANNED.format(group, part.topic, part.partition, offset))
    world.out.write("\n")


def _move(
    given: Given, admin: Admin, group: str, offsets: Mapping[TopicPartition, int], world: World
) -> None:
    if offsets:
        admin.alter_consumer_group_offsets(group, offsets).all()
    internal = internal_topics(_views(admin, [group])[group])
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
    committed = _committed_inputs(admin, group)
    if given.has("all-input-topics") or not given.has("input-topic"):
        return committed
    parts = _named_parts(admin, given.texts("input-topic"))
    if set(parts) <= set(committed):
        return parts
    print(f"\nError: One or more topics are not part of the group '{group}'.", file=world.out)
    return []


def _committed_inputs(admin: Admin, group: str) -> list[TopicPartition]:
    view = _views(admin, [group])[group]
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
    unknown: dict[str, MoldauError] = {}
    if given.has("all-input-topics"):
        parts = _committed_inputs(admin, group)
    else:
        parts = []
        for text in given.texts("input-topic"):
            try:
                parts += _named_parts(admin, [text])
            except MoldauError as error:
                unknown[text] = error
    if given.has("dry-run"):
        show_forgetting(group, sorted(parts), world)
        return
    outcomes = admin.delete_consumer_group_offsets(group, parts)
    print(_verdict(admin, group, outcomes.errors.values()), file=world.out)
    width = max([15, *(len(part.topic) for part in parts), *map(len, unknown)])
    line = f"\n{{:<{width}}} {{:<10}} {{:<15}}"
    world.out.write(line.format("TOPIC", "PARTITION", "STATUS"))
    for part in sorted(parts):
        failed = outcomes.errors.get(part)
        status = "Successful" if failed is None else f"Error: {java_cause_of(failed)}"
        world.out.write(line.format(part.topic, part.partition, status))
    for topic, why in unknown.items():
        world.out.write(line.format(topic, "-", f"Error: {java_cause_of(why)}"))
    world.out.write("\n")


def _verdict(admin: Admin, group: str, errors: Collection[MoldauError]) -> str:
    if errors:
        return "\nError: Encountered some partition-level error, see the follow-up details."
    if group not in _listed(admin):
        return "\nError: The group id does not exist."
    return f"Request succeeded for deleting offsets from group {group}."
