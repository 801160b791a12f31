"""The flags of `moldau streams-groups`, and which of them go together.

Kafka's tool looks in this order: what a flag needs beside it, the flags of each action that is
given, what goes with no action, and only then whether there is exactly one action.
"""

from __future__ import annotations

from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG
from moldau.programs.tools.kafka.flags import (
    OUTPUT,
    Flag,
    Given,
    Takes,
    WrongUsageError,
    only_one_of,
    refuse_unavailable,
)
from moldau.programs.tools.kafka.group_resets import FLAGS as RESET_FLAGS
from moldau.programs.tools.kafka.group_resets import SCENARIOS
from moldau.programs.tools.kafka.group_states import (
    AVAILABLE_WITH,
    check_states,
    check_ways,
    need_groups,
)

__all__ = ["FLAGS", "check"]

ACTIONS = ("list", "describe", "delete", "reset-offsets", "delete-offsets")
ACTIONS_WANTED = (
    "Command must include exactly one action: --list, --describe, --delete, --reset-offsets, or "
    "--delete-offsets."
)
STATES = ("NotReady", "Reconciling", "Empty", "Assigning", "Dead", "Stable")
WITH_DRY_RUN = ("reset-offsets", "delete", "delete-offsets")
"""Kafka's tool has it for the first alone."""

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


def check(given: Given) -> str:
    """The action, or `WrongUsageError`."""
    refuse_unavailable(given, AVAILABLE_WITH)
    given.need("bootstrap-server")
    if given.has("describe"):
        _check_described(given)
    if given.has("delete"):
        _check_deleted(given)
    if given.has("delete-offsets"):
        _check_forgotten(given)
    if given.has("reset-offsets"):
        _check_reset(given)
    _check_internal_topics(given)
    _check_execution(given)
    given.refuse("group", ["all-groups", "list"])
    given.refuse("input-topic", ["list", "describe", "delete"])
    action = only_one_of(given, ACTIONS, ACTIONS_WANTED)
    if action == "list":
        check_states(given, STATES)
    return action


def _check_described(given: Given) -> None:
    need_groups(given, "describe")
    check_ways(given)
    if given.text("state") is not None:
        raise WrongUsageError("Option [describe] does not take a value for [state]")


def _check_deleted(given: Given) -> None:
    need_groups(given, "delete")
    if given.has("input-topic") or given.has("all-input-topics"):
        raise WrongUsageError(
            "Kafka Streams does not support topic-specific offset deletion from a streams group."
        )


def _check_forgotten(given: Given) -> None:
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
    need_groups(given, "reset-offsets")
    for scenario in SCENARIOS:
        given.refuse(scenario, [other for other in SCENARIOS if other != scenario])


def _check_internal_topics(given: Given) -> None:
    resets, executes = given.has("reset-offsets"), given.has("execute")
    every, one = "delete-all-internal-topics", "delete-internal-topic"
    if given.has(every):
        if not resets and not given.has("delete"):
            raise WrongUsageError(
                f"Option [{every}] takes one of these options: [delete], [reset-offsets]"
            )
        if resets and not executes:
            raise WrongUsageError(f"Option [{every}] takes [execute] when [reset-offsets] is used.")
    if given.has(one) and not (resets and executes):
        raise WrongUsageError(f"Option [{one}] takes [reset-offsets] when [execute] is used.")


def _check_execution(given: Given) -> None:
    executes = given.has("execute") and not given.has("reset-offsets")
    shows = given.has("dry-run") and not any(given.has(one) for one in WITH_DRY_RUN)
    if executes or shows:
        raise WrongUsageError("Only Option [reset-offsets] accepts [execute] or [dry-run]")
