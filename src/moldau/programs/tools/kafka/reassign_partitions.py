"""`moldau reassign-partitions`: partitions move to other brokers and directories."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import Reassignment
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import (
    BOOTSTRAP,
    COMMAND_CONFIG,
    CONTROLLERS,
    DRY_RUN,
    admin_of,
)
from moldau.programs.tools.kafka.flags import (
    OUTPUT,
    Flag,
    Given,
    Takes,
    WrongUsageError,
    only_one_of,
)
from moldau.programs.tools.kafka.java_errors import cause_of, java_cause_of
from moldau.programs.tools.kafka.reassignment_moves import (
    MovesTimedOutError,
    cancel_moves,
    print_moves,
    start_moves,
)
from moldau.programs.tools.kafka.reassignment_plans import (
    Plan,
    current_plan,
    plan_json,
    proposed_plan,
    read_plan,
    read_plan_to_execute,
    topics_to_move,
)
from moldau.programs.tools.kafka.reassignment_throttles import (
    all_moves,
    clear_throttles,
    set_throttles,
)

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "run"]

FAILED = 1
TIMEOUT_MS = 10_000
"""How long directories are waited for, as Kafka's tool does."""
WHOLE_NUMBER = re.compile(r"[-+]?\d+", re.ASCII)
ACTIONS = ("generate", "execute", "verify", "cancel", "list")
ACTIONS_WANTED = (
    "Command must include exactly one action: --generate, --execute, --verify, --cancel, --list"
)
EXISTING = (
    "Cannot execute because there is an existing partition assignment.  Use --additional to "
    "override this and create a new partition assignment in addition to the existing one. The "
    "--additional flag can also be used to change the throttle by resubmitting the current "
    "reassignment."
)
PLAN = "reassignment-json-file"
NEEDED = {
    "generate": ("topics-to-move-json-file", "broker-list"),
    "execute": (PLAN,),
    "verify": (PLAN,),
    "cancel": (PLAN,),
    "list": (),
}
ALLOWED = {
    "generate": ("disable-rack-aware",),
    "execute": (
        "additional",
        "disallow-replication-factor-change",
        "replica-alter-log-dirs-throttle",
        "throttle",
        "timeout",
        "dry-run",
    ),
    "verify": ("preserve-throttles", "dry-run"),
    "cancel": ("preserve-throttles", "timeout", "dry-run"),
    "list": (),
}

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    CONTROLLERS,
    COMMAND_CONFIG,
    Flag("generate", "Propose where partitions of topics could be; nothing is changed."),
    Flag("execute", "Begin to move partitions."),
    Flag("verify", "Show how far that is, and lift throttles when it is done."),
    Flag("cancel", "Give it up."),
    Flag("list", "List partitions that are moving."),
    Flag(
        PLAN,
        'Where partitions shall be: {"version": 1, "partitions": [{"topic": "orders", "partition": '
        '0, "replicas": [1, 2], "log_dirs": ["any", "any"]}]}.',
        Takes.TEXT,
        "FILE",
    ),
    Flag(
        "topics-to-move-json-file",
        '{"version": 1, "topics": [{"topic": "orders"}]}.',
        Takes.TEXT,
        "FILE",
    ),
    Flag("broker-list", "The brokers to move them to.", Takes.TEXT, "ID,..."),
    Flag("disable-rack-aware", "Take no notice of racks."),
    Flag("throttle", "How much may move between brokers (bytes/s).", Takes.LONG),
    Flag(
        "replica-alter-log-dirs-throttle",
        "How much may move between directories (bytes/s).",
        Takes.LONG,
    ),
    Flag("timeout", "How long moves between directories may take to begin (ms).", Takes.LONG),
    Flag("additional", "Even if others are moving."),
    Flag("preserve-throttles", "Leave throttles as they are."),
    Flag("disallow-replication-factor-change", "Refuse to change how many replicas there are."),
    DRY_RUN,
)


class _TerseError(MoldauError):
    """A message that stands alone, as Kafka's TerseException does."""


def run(given: Given, world: World) -> int:
    action = only_one_of(given, ACTIONS, ACTIONS_WANTED)
    _check(given, action)
    try:
        _check_numbers(given)
        with admin_of(given, world) as admin:
            match action:
                case "generate":
                    _generate(given, admin, world)
                case "execute":
                    _execute(given, admin, world)
                case "verify":
                    _verify(given, admin, world)
                case "cancel":
                    _cancel(given, admin, world)
                case _:
                    _list(admin, world)
    except MoldauError as error:
        is_terse = isinstance(error, _TerseError | MovesTimedOutError)
        cause = error if is_terse else f"Error: {java_cause_of(error)}"
        print(cause, file=world.out)
        return FAILED
    return 0


def _check(given: Given, action: str) -> None:
    if not given.has(BOOTSTRAP.name) and not given.has(CONTROLLERS.name):
        raise WrongUsageError("Please specify either --bootstrap-server or --bootstrap-controller")
    if given.has(BOOTSTRAP.name) and given.has(CONTROLLERS.name):
        raise WrongUsageError(
            "Please don't specify both --bootstrap-server and --bootstrap-controller"
        )
    if given.has(CONTROLLERS.name) and action not in ("cancel", "list"):
        raise WrongUsageError(
            f'Option "[{CONTROLLERS.name}]" can\'t be used with action "[{action}]"'
        )
    given.need(*NEEDED[action])
    known = {BOOTSTRAP.name, CONTROLLERS.name, COMMAND_CONFIG.name, OUTPUT.name, action}
    known |= {*NEEDED[action], *ALLOWED[action]}
    for flag in FLAGS:
        if flag.name not in known and given.has(flag.name):
            raise WrongUsageError(f'Option "[{flag.name}]" can\'t be used with action "[{action}]"')


def _check_numbers(given: Given) -> None:
    for name in ("throttle", "replica-alter-log-dirs-throttle", "timeout"):
        given.number(name)


def _generate(given: Given, admin: Admin, world: World) -> None:
    topics = topics_to_move(world.files, given.text("topics-to-move-json-file") or "")
    brokers = _brokers(given.text("broker-list") or "")
    now = current_plan(admin, topics)
    proposed = proposed_plan(
        admin, now, brokers, world.random, by_rack=not given.has("disable-rack-aware")
    )
    print(f"Current partition replica assignment\n{plan_json(now)}\n", file=world.out)
    print(f"Proposed partition reassignment configuration\n{plan_json(proposed)}", file=world.out)


def _brokers(text: str) -> list[int]:
    found = []
    for one in text.split(","):
        if not WHOLE_NUMBER.fullmatch(one):
            raise MoldauError(f'For input string: "{one}"')
        found.append(int(one))
    twice = dict.fromkeys(broker for broker in found if found.count(broker) > 1)
    if twice:
        raise MoldauError(f"Broker list contains duplicate entries: {list(twice)}")
    return found


def _execute(given: Given, admin: Admin, world: World) -> None:
    plan = read_plan_to_execute(world.files, given.text(PLAN) or "")
    moving = admin.list_partition_reassignments()
    if moving and not given.has("additional"):
        raise _TerseError(EXISTING)
    there = {node.node_id for node in admin.describe_cluster().nodes}
    for replicas in plan.replicas.values():
        for broker in replicas:
            if broker not in there:
                raise MoldauError(f"Unknown broker id {broker}")
    now = current_plan(admin, dict.fromkeys(part.topic for part in plan.replicas))
    before = plan_json(now.of(plan.replicas))
    print(f"Current partition replica assignment\n\n{before}\n", file=world.out)
    print("Save this to use as the --reassignment-json-file option during rollback", file=world.out)
    if given.has(DRY_RUN.name):
        print(f"DRY RUN of reassigning {_joined(plan)}", file=world.out)
        return
    set_throttles(given, plan, all_moves(moving, plan, now), admin, world)
    outcomes = admin.alter_partition_reassignments(
        plan.replicas,
        allow_replication_factor_change=not given.has("disallow-replication-factor-change"),
    )
    if outcomes.errors:
        raise _TerseError(_refusals("Error reassigning partition(s):", outcomes.errors))
    plural = "s" if len(plan.replicas) > 1 else ""
    print(
        f"Successfully started partition reassignment{plural} for {_joined(plan)}", file=world.out
    )
    start_moves(plan.dirs, _timeout_ms(given), admin, world)


def _timeout_ms(given: Given) -> int:
    timeout_ms = given.number("timeout")
    return TIMEOUT_MS if timeout_ms is None else timeout_ms


def _refusals(head: str, errors: Mapping[TopicPartition, MoldauError]) -> str:
    return "\n".join([head, *sorted(f"{part}: {cause_of(one)}" for part, one in errors.items())])


def _joined(plan: Plan) -> str:
    return ",".join(map(str, sorted(plan.replicas)))


def _verify(given: Given, admin: Admin, world: World) -> None:
    plan = read_plan(world.files, given.text(PLAN) or "")
    moving = admin.list_partition_reassignments()
    views = admin.describe_topics(dict.fromkeys(part.topic for part in plan.replicas)).values
    now = {
        TopicPartition(name, part.partition): part.replicas
        for name, view in views.items()
        for part in view.partitions
    }
    print("Status of partition reassignment:", file=world.out)
    for part, wanted in sorted(plan.replicas.items()):
        print(_status(part, wanted, tuple(now.get(part, ())), moving), file=world.out)
    still = print_moves(plan, admin, world)
    if not plan.dirs:
        print(file=world.out)
    keeps = given.has("preserve-throttles") or given.has(DRY_RUN.name)
    if not moving and not still and not keeps:
        clear_throttles(plan, admin, world)


def _status(
    part: TopicPartition,
    wanted: tuple[int, ...],
    now: tuple[int, ...],
    moving: dict[TopicPartition, Reassignment],
) -> str:
    if part in moving:
        return f"Reassignment of partition {part} is still in progress."
    if now == wanted:
        return f"Reassignment of partition {part} is completed."
    has, should = (",".join(map(str, brokers)) for brokers in (now, wanted))
    return (
        f"There is no active reassignment of partition {part}, but replica set is {has} rather "
        f"than {should}."
    )


def _cancel(given: Given, admin: Admin, world: World) -> None:
    plan = read_plan(world.files, given.text(PLAN) or "")
    moving = admin.list_partition_reassignments()
    parts = sorted(part for part in plan.replicas if part in moving)
    if given.has(DRY_RUN.name):
        shown = ",".join(map(str, parts)) or "nothing"
        print(f"DRY RUN of cancelling the reassignment of {shown}", file=world.out)
        return
    if parts:
        outcomes = admin.alter_partition_reassignments(dict.fromkeys(parts))
        plural = "s" if len(parts) > 1 else ""
        if outcomes.errors:
            head = f"Error cancelling partition reassignment{plural} for:"
            raise _TerseError(_refusals(head, outcomes.errors))
        shown = ",".join(map(str, parts))
        print(f"Successfully cancelled partition reassignment{plural} for: {shown}", file=world.out)
    else:
        print("None of the specified partition reassignments are active.", file=world.out)
    cancel_moves(plan, _timeout_ms(given), admin, world)
    if not given.has("preserve-throttles"):
        clear_throttles(plan, admin, world)


def _list(admin: Admin, world: World) -> None:
    moving = admin.list_partition_reassignments()
    rows = [
        (part.topic, part.partition, move.replicas, move.adding, move.removing)
        for part, move in sorted(moving.items())
    ]
    if world.takes(("TOPIC", "PARTITION", "REPLICAS", "ADDING", "REMOVING"), rows):
        return
    if not moving:
        print("No partition reassignments found.", file=world.out)
        return
    print("Current partition reassignments:", file=world.out)
    for part, move in sorted(moving.items()):
        line = f"{part}: replicas: {','.join(map(str, move.replicas))}."
        for word, brokers in (("adding", move.adding), ("removing", move.removing)):
            if brokers:
                line += f" {word}: {','.join(map(str, brokers))}."
        print(line, file=world.out)
