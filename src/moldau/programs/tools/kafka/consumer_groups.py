"""`moldau consumer-groups`: groups of consumers are listed, described, reset and deleted."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import GroupType, ListedGroup
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
from moldau.programs.tools.kafka.group_resets import FLAGS as RESET_FLAGS
from moldau.programs.tools.kafka.group_resets import SCENARIOS, reset, topic_and_numbers
from moldau.programs.tools.kafka.group_states import AVAILABLE_WITH, check_ways
from moldau.programs.tools.kafka.group_tables import print_members, print_offsets, print_states
from moldau.programs.tools.kafka.java_errors import cause_of, java_cause_of
from moldau.programs.tools.kafka.java_order import in_java_order
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "run"]

LISTED = ("GROUP", "TYPE", "STATE")
MS_PER_SECOND = 1000
ACTIONS = ("list", "describe", "delete", "reset-offsets", "delete-offsets", "validate-regex")
ACTIONS_WANTED = (
    "Command must include exactly one action: --list, --describe, --delete, --reset-offsets, "
    "--delete-offsets, --validate-regex"
)
PATTERNS = "moldau.programs.tools.kafka.pattern_verdicts"
SCOPE = "takes one of these options: [group], [all-groups]"
NEEDED_BESIDE = {**AVAILABLE_WITH, "type": ("list",)}
STATES = (
    "PreparingRebalance",
    "CompletingRebalance",
    "Dead",
    "Assigning",
    "Stable",
    "Empty",
    "Reconciling",
)
NOTHING_DONE = (
    "WARN: No action will be performed as the --execute option is missing. In version 5.0, this "
    "command will require either --dry-run or --execute to be specified. You should add the "
    "--dry-run option explicitly if you are scripting this command and want to keep the current "
    "default behavior without prompting."
)
OF_PARTITIONS = (
    ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC,
    ErrorCode.TOPIC_AUTHORIZATION_FAILED,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
)

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag("list", "List groups."),
    Flag("describe", "Show offsets and lag, or members, or states, of groups."),
    Flag("delete", "Delete groups that have no members."),
    Flag("reset-offsets", "Move the offsets of a group without members."),
    Flag("delete-offsets", "Forget the offsets of topics."),
    Flag("group", "A group; may be repeated.", Takes.TEXT, "GROUP"),
    Flag("all-groups", "All groups."),
    Flag("topic", "A topic, or TOPIC:0,1 for partitions; may be repeated.", Takes.TEXT, "TOPIC"),
    Flag("members", "Describe members."),
    Flag("offsets", "Describe offsets, as without it."),
    Flag("state", "Describe states; with --list show them, or these alone.", Takes.MAYBE, "STATES"),
    Flag("type", "With --list show types, or these alone.", Takes.MAYBE, "TYPES"),
    Flag("verbose", "Describe more."),
    Flag("timeout", "How long a call may take (ms).", Takes.LONG, default="30000"),
    Flag(
        "validate-regex",
        "Look whether it is a pattern of RE2, as brokers do when a consumer subscribes by one.",
        Takes.TEXT,
        "REGEX",
    ),
    *RESET_FLAGS,
)


def run(given: Given, world: World) -> int:
    try:
        _check(given, world)
        if given.has("validate-regex"):
            print(import_module(PATTERNS).verdict(given.text("validate-regex")), file=world.out)
            return 0
        timeout_ms = given.number("timeout") or 0
        with admin_of(given, world) as admin:
            _act(given, admin.within(timeout_ms / MS_PER_SECOND), world)
    except MoldauError as error:
        if isinstance(error, WrongUsageError) and not isinstance(error, WrongValueError):
            raise
        cause = java_cause_of(error)
        print(f"\nError: Executing consumer group command failed due to {cause}", file=world.out)
    return 0


def _check(given: Given, world: World) -> None:
    refuse_unavailable(given, NEEDED_BESIDE)
    if not given.has("validate-regex"):
        given.need("bootstrap-server")
    if given.has("describe"):
        _check_described(given)
    _check_deleted(given)
    if given.has("reset-offsets"):
        _check_reset(given, world)
    given.refuse("group", ("all-groups", "list"))
    given.refuse("topic", ("list", "describe"))
    if only_one_of(given, ACTIONS, ACTIONS_WANTED) == "list":
        _check_listed(given)


def _check_deleted(given: Given) -> None:
    if given.has("delete"):
        if not given.has("group") and not given.has("all-groups"):
            raise WrongUsageError(f"Option [delete] {SCOPE}")
        if given.has("topic"):
            raise WrongUsageError(
                "The consumer does not support topic-specific offset deletion from a consumer "
                "group."
            )
    if given.has("delete-offsets") and not (given.has("group") and given.has("topic")):
        raise WrongUsageError(
            "Option [delete-offsets] takes the following options: [group], [topic]"
        )


def _check_described(given: Given) -> None:
    if not given.has("group") and not given.has("all-groups"):
        raise WrongUsageError(f"Option [describe] {SCOPE}")
    check_ways(given)
    if given.texts("state"):
        raise WrongUsageError("Option [describe] does not take a value for [state]")


def _check_reset(given: Given, world: World) -> None:
    if given.has("dry-run") and given.has("execute"):
        raise WrongUsageError("Option [reset-offsets] only accepts one of [execute] and [dry-run]")
    if not given.has("dry-run") and not given.has("execute"):
        world.errors.write(NOTHING_DONE + "\n")
    if not given.has("group") and not given.has("all-groups"):
        raise WrongUsageError(f"Option [reset-offsets] {SCOPE}")
    for scenario in SCENARIOS:
        given.refuse(scenario, [other for other in SCENARIOS if other != scenario])


def _check_listed(given: Given) -> None:
    states = given.text("state")
    names = {state.lower() for state in STATES}
    if states and {one.strip().lower() for one in states.split(",")} - names:
        raise WrongUsageError(
            f"Invalid state list '{states}'. Valid states are: {', '.join(STATES)}"
        )
    types = given.text("type")
    if types and {one.strip().lower() for one in types.split(",")} - OF_CONSUMERS:
        raise WrongUsageError(f"Invalid types list '{types}'. Valid types are: Consumer, Classic")


OF_CONSUMERS = {str(GroupType.CLASSIC), str(GroupType.CONSUMER)}


def _act(given: Given, admin: Admin, world: World) -> None:
    if given.has("list"):
        _list(given, admin, world)
        return
    groups = sorted(_listed(admin)) if given.has("all-groups") else given.texts("group")
    if given.has("describe"):
        _describe(given, admin, groups, world)
    elif given.has("delete"):
        _delete(given, admin, groups, world)
    elif given.has("reset-offsets"):
        reset(given, admin, groups, world)
    else:
        _delete_offsets(given, admin, world)


def _listed(admin: Admin) -> dict[str, ListedGroup]:
    """Of consumers, by either protocol."""
    found = admin.list_groups(types=sorted(OF_CONSUMERS)).all()
    return {name: one for name, one in found.items() if one.protocol_type in ("", "consumer")}


def _list(given: Given, admin: Admin, world: World) -> None:
    groups = _listed(admin)
    for wanted, name_of in (("state", _state), ("type", _type)):
        text = given.text(wanted)
        if text:
            names = {one.strip().lower() for one in text.split(",")}
            groups = {key: one for key, one in groups.items() if name_of(one).lower() in names}
    ordered = [groups[name] for name in in_java_order(groups)]
    if world.takes(LISTED, [(one.group_id, _type(one), _state(one)) for one in ordered]):
        return
    shown = [name for name in ("type", "state") if given.has(name)]
    if not shown:
        for group in ordered:
            print(group.group_id, file=world.out)
        return
    width = max([15, *(len(name) for name in groups)]) + 10
    print(
        " ".join([f"{'GROUP':<{width}}", *(f"{one.upper():<20}" for one in shown)]), file=world.out
    )
    for group in ordered:
        named = {"type": _type(group), "state": _state(group)}
        columns = [f"{group.group_id:<{width}}", *(f"{named[one]:<20}" for one in shown)]
        print(" ".join(columns), file=world.out)


def _state(group: ListedGroup) -> str:
    return group.state or "Unknown"


def _type(group: ListedGroup) -> str:
    return group.type.capitalize()


def _describe(given: Given, admin: Admin, groups: list[str], world: World) -> None:
    views = dict(sorted(admin.describe_consumer_groups(groups).all().items()))
    verbose = given.has("verbose") or world.rows is not None
    if given.has("members"):
        print_members(views, world, verbose=verbose)
    elif given.has("state"):
        print_states(views, world, verbose=verbose)
    else:
        print_offsets(admin, views, world, verbose=verbose)


def _delete(given: Given, admin: Admin, groups: list[str], world: World) -> None:
    if given.has("dry-run"):
        show_deletion(groups, _listed(admin), world, "consumer")
        return
    outcomes = admin.delete_groups(groups)
    done = ", ".join(f"'{name}'" for name in outcomes.values)
    if not outcomes.errors:
        print(f"Deletion of requested consumer groups ({done}) was successful.", file=world.out)
        return
    print("\nError: Deletion of some consumer groups failed:", file=world.out)
    for name, error in outcomes.errors.items():
        why = java_cause_of(error)
        print(f"* Group '{name}' could not be deleted due to: {why}", file=world.out)
    if outcomes.values:
        print(f"\nThese consumer groups were deleted successfully: {done}", file=world.out)


def _delete_offsets(given: Given, admin: Admin, world: World) -> None:
    group, topics = given.text("group") or "", given.texts("topic")
    parts, unknown = _partitions(admin, topics)
    if given.has("dry-run"):
        show_forgetting(group, sorted(parts), world)
        return
    outcomes = admin.delete_consumer_group_offsets(group, parts)
    error = next(iter(outcomes.errors.values()), None)
    print(_verdict(group, error), file=world.out)
    line = "\n{:<15} {:<10} {:<15}"
    world.out.write(line.format("TOPIC", "PARTITION", "STATUS"))
    for part in sorted(parts, key=lambda part: f"{part.topic}{part.partition}"):
        failed = outcomes.errors.get(part)
        status = "Successful" if failed is None else f"Error: {java_cause_of(failed)}"
        world.out.write(line.format(part.topic, part.partition, status))
    for topic, why in unknown.items():
        world.out.write(line.format(topic, "-", f"Error: {java_cause_of(why)}"))
    world.out.write("\n")


def _verdict(group: str, error: MoldauError | None) -> str:
    if error is None:
        return f"Request succeeded for deleting offsets from group {group}."
    if isinstance(error, RefusedError) and error.error in OF_PARTITIONS:
        return "\nError: Encountered some partition-level error, see the follow-up details:"
    return f"\nError: {cause_of(error)}"


def _partitions(
    admin: Admin, topics: list[str]
) -> tuple[list[TopicPartition], dict[str, MoldauError]]:
    """Of `topic` and `topic:0,1`; and topics that are not there."""
    parts = []
    whole = []
    for text in topics:
        topic, numbers = topic_and_numbers(text)
        parts += [TopicPartition(topic, number) for number in numbers or ()]
        whole += [topic] if numbers is None else []
    views = admin.describe_topics(whole)
    for name, view in views.values.items():
        parts += [TopicPartition(name, part.partition) for part in view.partitions]
    return parts, dict(views.errors)
