"""`moldau transactions`: what is open, who opened it, and an end to what hangs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import ProducerState
from moldau.client.errors import AccessDeniedError, RefusedError
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, DRY_RUN, admin_of
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.plain_table import print_table
from moldau.programs.tools.kafka.subcommands import Action, Actions
from moldau.programs.tools.kafka.tool import ToolFailedError
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "SUBCOMMANDS", "run"]

NONE = "None"
MS_PER_MINUTE = 60_000
TIMEOUT_MINUTES = 15
"""The longest transaction that brokers allow by default."""
NOT_KNOWN = -1
LISTED = ("TransactionalId", "Coordinator", "ProducerId", "TransactionState")
DESCRIBED = (
    "CoordinatorId",
    "TransactionalId",
    "ProducerId",
    "ProducerEpoch",
    "TransactionState",
    "TransactionTimeoutMs",
    "CurrentTransactionStartTimeMs",
    "TransactionDurationMs",
    "TopicPartitions",
)
PRODUCERS = (
    "ProducerId",
    "ProducerEpoch",
    "LatestCoordinatorEpoch",
    "LastSequence",
    "LastTimestamp",
    "CurrentTransactionStartOffset",
)
HANGING = (
    "Topic",
    "Partition",
    "ProducerId",
    "ProducerEpoch",
    "CoordinatorEpoch",
    "StartOffset",
    "LastTimestamp",
    "Duration(min)",
)
OLD_STYLE = ("producer-id", "producer-epoch", "coordinator-epoch")

TOPIC = Flag("topic", "The topic.", Takes.TEXT, "TOPIC")
PARTITION = Flag("partition", "The partition.", Takes.INT)
FLAGS = (BOOTSTRAP, COMMAND_CONFIG, OUTPUT)
SUBCOMMANDS = Actions(
    (
        Action(
            "list",
            "List transactional ids.",
            (
                Flag("duration-filter", "Open for longer than this (ms).", Takes.LONG, "MS"),
                Flag("transactional-id-pattern", "Named like this.", Takes.TEXT, "REGEX"),
            ),
        ),
        Action(
            "describe",
            "Show what is known of one.",
            (Flag("transactional-id", "The transactional id.", Takes.TEXT, "ID"),),
            ("transactional-id",),
        ),
        Action(
            "describe-producers",
            "Show the producers that a partition knows.",
            (TOPIC, PARTITION, Flag("broker-id", "Ask this replica.", Takes.INT, "ID")),
            ("partition", "topic"),
        ),
        Action(
            "abort",
            "End a transaction that hangs in a partition.",
            (
                TOPIC,
                PARTITION,
                Flag("start-offset", "Where it began.", Takes.LONG, "OFFSET"),
                Flag("producer-id", "For brokers before 3.0.", Takes.LONG, "ID"),
                Flag("producer-epoch", "For brokers before 3.0.", Takes.INT),
                Flag("coordinator-epoch", "For brokers before 3.0.", Takes.INT),
                DRY_RUN,
            ),
            ("partition", "topic"),
        ),
        Action(
            "find-hanging",
            "Find transactions that are open in a partition and at no coordinator.",
            (
                TOPIC,
                PARTITION,
                Flag("broker-id", "In what this broker has.", Takes.INT, "ID"),
                Flag("max-transaction-timeout", "Open for longer than this (minutes).", Takes.INT),
            ),
        ),
        Action(
            "forceTerminateTransaction",
            "Abort what is open under an id, and fence its producer.",
            (Flag("transactionalId", "The transactional id.", Takes.TEXT, "ID"), DRY_RUN),
            ("transactionalId",),
        ),
    ),
    "kafka-transactions.sh: error: {}",
)


def run(given: Given, world: World) -> int:
    if not given.has(BOOTSTRAP.name):
        wrong = f"argument --{BOOTSTRAP.name} is required"
        raise WrongUsageError(SUBCOMMANDS.complaint.format(wrong))
    with admin_of(given, world) as admin:
        match given.action:
            case "list":
                _list(given, admin, world)
            case "describe":
                _describe(given, admin, world)
            case "describe-producers":
                _describe_producers(given, admin, world)
            case "abort":
                _abort(given, admin, world)
            case "find-hanging":
                _find_hanging(given, admin, world)
            case _:
                _terminate(given, admin, world)
    return 0


def _failed(what: str, error: MoldauError) -> ToolFailedError:
    return ToolFailedError(
        f"{what}: {cause_of(error)}. Enable debug logging for additional detail."
    )


def _list(given: Given, admin: Admin, world: World) -> None:
    longer = given.number("duration-filter")
    try:
        found = admin.list_transactions(
            longer_than_ms=None if longer is None or longer < 0 else longer,
            pattern=given.text("transactional-id-pattern"),
        ).all()
    except RefusedError as error:
        raise _failed("Failed to list transactions", error) from error
    rows = [
        (one.transactional_id, one.coordinator, one.producer_id, one.state)
        for one in found.values()
    ]
    print_table(LISTED, rows, world)


def _describe(given: Given, admin: Admin, world: World) -> None:
    name = given.text("transactional-id") or ""
    outcomes = admin.describe_transactions(name)
    if name in outcomes.errors:
        error = outcomes.errors[name]
        what = f"Failed to describe transaction state of transactional-id `{name}`"
        if isinstance(error, RefusedError) and (
            error.error is ErrorCode.TRANSACTIONAL_ID_NOT_FOUND
        ):
            reason = f"DescribeTransactions request for transactionalId `{name}` failed because "
            raise _failed(what, MoldauError(f"{reason}the ID could not be found"))
        raise _failed(what, error)
    view = outcomes[name]
    start: object = NONE
    duration: object = NONE
    if view.start_ms is not None:
        start, duration = view.start_ms, world.clock.now_ms() - view.start_ms
    parts = ",".join(map(str, view.partitions))
    listed = admin.list_transactions(producer_ids=[view.producer_id]).values.get(name)
    coordinator = NONE if listed is None else listed.coordinator
    row = [coordinator, view.transactional_id, view.producer_id, view.producer_epoch]
    times = [view.timeout_ms, start, duration]
    print_table(DESCRIBED, [[*row, view.state, *times, parts]], world)


def _partition(given: Given) -> TopicPartition:
    return TopicPartition(given.text("topic") or "", given.number("partition") or 0)


def _producers(admin: Admin, part: TopicPartition, broker: int | None) -> tuple[ProducerState, ...]:
    outcomes = admin.describe_producers([part], node_id=broker)
    if part in outcomes.errors:
        where = "leader" if broker is None else f"broker {broker}"
        what = f"Failed to describe producers for partition {part} on {where}"
        raise _failed(what, outcomes.errors[part])
    return outcomes[part]


def _describe_producers(given: Given, admin: Admin, world: World) -> None:
    states = _producers(admin, _partition(given), given.number("broker-id"))
    rows = [
        [
            one.producer_id,
            one.producer_epoch,
            _known(one.coordinator_epoch),
            _known(one.last_sequence),
            _known(one.last_timestamp),
            NONE if one.transaction_start_offset is None else one.transaction_start_offset,
        ]
        for one in states
    ]
    print_table(PRODUCERS, rows, world)


def _known(number: int | None) -> int:
    return NOT_KNOWN if number is None else number


def _abort(given: Given, admin: Admin, world: World) -> None:
    part = _partition(given)
    start = given.number("start-offset")
    if start is None and not given.has("producer-id"):
        raise ToolFailedError(
            "The transaction to abort must be identified either with --start-offset (for brokers "
            "on 3.0 or above) or with --producer-id, --producer-epoch, and --coordinator-epoch "
            "(for older brokers)"
        )
    if start is None:
        for name in OLD_STYLE:
            if not given.has(name):
                raise ToolFailedError(f"Missing required argument --{name}")
        producer, epoch, coordinator = (given.number(name) or 0 for name in OLD_STYLE)
        coordinator = max(coordinator, 0)
    else:
        state = _open_since(admin, part, start)
        producer, epoch = state.producer_id, state.producer_epoch
        coordinator = max(_known(state.coordinator_epoch), 0)
    if given.has(DRY_RUN.name):
        print(f"DRY RUN of aborting what producer {producer} has open in {part}", file=world.out)
        return
    try:
        admin.abort_transaction(
            part, producer_id=producer, producer_epoch=epoch, coordinator_epoch=coordinator
        )
    except (RefusedError, AccessDeniedError) as error:
        asked = (
            f"(producerId={producer}, producerEpoch={epoch}, coordinatorEpoch={coordinator}, "
            f"topicPartition={part})"
        )
        raise _failed(f"Failed to abort transaction AbortTransactionSpec{asked}", error) from None


def _open_since(admin: Admin, part: TopicPartition, start: int) -> ProducerState:
    for state in _producers(admin, part, None):
        if state.transaction_start_offset == start:
            return state
    raise ToolFailedError(
        f"Could not find any open transactions starting at offset {start} on partition {part}"
    )


def _find_hanging(given: Given, admin: Admin, world: World) -> None:
    if not given.has("topic") and not given.has("broker-id"):
        raise ToolFailedError(
            "The `find-hanging` command requires either --topic or --broker-id to limit the scope "
            "of the search"
        )
    minutes = given.number("max-transaction-timeout")
    longest_ms = (TIMEOUT_MINUTES if minutes is None else minutes) * MS_PER_MINUTE
    now_ms = world.clock.now_ms()
    parts = _searched(given, admin)
    outcomes = admin.describe_producers(parts, node_id=given.number("broker-id"))
    for error in outcomes.errors.values():
        raise _failed(f"Failed to describe producers for {len(parts)} partitions", error)
    found = outcomes.values
    late = [
        (part, state)
        for part, states in found.items()
        for state in states
        if state.transaction_start_offset is not None
        and now_ms - _known(state.last_timestamp) > longest_ms
    ]
    rows = [
        [
            part.topic,
            part.partition,
            state.producer_id,
            state.producer_epoch,
            _known(state.coordinator_epoch),
            state.transaction_start_offset,
            _known(state.last_timestamp),
            (now_ms - _known(state.last_timestamp)) // MS_PER_MINUTE,
        ]
        for part, state in _unknown_to_coordinators(admin, late)
    ]
    print_table(HANGING, rows, world)


def _searched(given: Given, admin: Admin) -> list[TopicPartition]:
    topic, number, broker = (
        given.text("topic"),
        given.number("partition"),
        given.number("broker-id"),
    )
    if topic is not None and number is not None:
        return [TopicPartition(topic, number)]
    names = [topic] if topic is not None else list(admin.list_topics(internal=True))
    views = admin.describe_topics(names)
    for error in views.errors.values():
        raise _failed(f"Failed to describe {len(names)} topics", error)
    return [
        TopicPartition(name, part.partition)
        for name, view in views.values.items()
        for part in view.partitions
        if broker is None or broker in part.replicas
    ]


def _unknown_to_coordinators(
    admin: Admin, late: Iterable[tuple[TopicPartition, ProducerState]]
) -> list[tuple[TopicPartition, ProducerState]]:
    late = list(late)
    if not late:
        return []
    listed = admin.list_transactions(
        producer_ids=sorted({state.producer_id for _, state in late})
    ).all()
    views = admin.describe_transactions(list(listed)).values if listed else {}
    known = {(view.producer_id, part) for view in views.values() for part in view.partitions}
    return [(part, state) for part, state in late if (state.producer_id, part) not in known]


def _terminate(given: Given, admin: Admin, world: World) -> None:
    name = given.text("transactionalId") or ""
    if given.has(DRY_RUN.name):
        print(f"DRY RUN of aborting what is open under {name}", file=world.out)
        return
    try:
        admin.force_terminate_transaction(name)
    except (RefusedError, AccessDeniedError) as error:
        raise _failed(f"Failed to force terminate transactionalId `{name}`", error) from None
