"""`moldau leader-election`: partitions get the leader that they should have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from moldau.client import TopicPartition
from moldau.client.admin import ElectionType, Outcomes
from moldau.client.errors import AccessDeniedError, RefusedError
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, DRY_RUN, admin_of
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.programs.tools.kafka.json_files import field_of, number_in, read_json, rows_in
from moldau.programs.tools.kafka.tool import ToolFailedError
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["FLAGS", "run"]

HEADS = ("TOPIC", "PARTITION", "OUTCOME", "ERROR")
SCOPES = ("topic", "all-topic-partitions", "path-to-json-file")

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag(
        "election-type",
        "preferred: the first replica shall lead, if it is in sync. unclean: any replica that "
        "lives, if no other does; records may be lost.",
        Takes.TEXT,
        "TYPE",
        choices=("preferred", "unclean"),
    ),
    Flag("topic", "The topic, with --partition.", Takes.TEXT, "TOPIC"),
    Flag("partition", "The partition, with --topic.", Takes.INT),
    Flag("all-topic-partitions", "All partitions that have another leader."),
    Flag(
        "path-to-json-file",
        'Partitions: {"partitions": [{"topic": "orders", "partition": 1}]}.',
        Takes.TEXT,
        "FILE",
    ),
    Flag("admin.config", "", Takes.TEXT, "FILE", instead=COMMAND_CONFIG.name),
    DRY_RUN,
)


def run(given: Given, world: World) -> int:
    missing = [name for name in ("bootstrap-server", "election-type") if not given.has(name)]
    if missing:
        raise ToolFailedError(f"Missing required option(s): {', '.join(missing)}")
    _check(given)
    election = _election(given)
    parts = _partitions(given, world)
    if given.has(DRY_RUN.name):
        _show_plan(election.name, parts, world)
        return 0
    with admin_of(given, world) as admin:
        try:
            outcomes = admin.elect_leaders(parts, election=election)
        except AccessDeniedError:
            raise ToolFailedError("Not authorized to perform leader election") from None
    idle = [part for part, error in outcomes.errors.items() if _is_needless(error)]
    failed = {part: error for part, error in outcomes.errors.items() if part not in idle}
    if not world.takes(HEADS, _rows(outcomes, idle)):
        _print(election.name, outcomes, idle, world)
    if failed:
        raise ToolFailedError(f"{len(failed)} replica(s) could not be elected")
    return 0


def _rows(
    outcomes: Outcomes[TopicPartition, None], idle: Collection[TopicPartition]
) -> Iterator[tuple[str, int, str, str | None]]:
    for part in outcomes.values:
        yield (part.topic, part.partition, "elected", None)
    for part, error in outcomes.errors.items():
        outcome = ("already elected", None) if part in idle else ("failed", java_cause_of(error))
        yield (part.topic, part.partition, *outcome)


def _print(
    kind: str,
    outcomes: Outcomes[TopicPartition, None],
    idle: Collection[TopicPartition],
    world: World,
) -> None:
    if outcomes.values:
        done = _joined(outcomes.values)
        print(
            f"Successfully completed leader election ({kind}) for partitions {done}",
            file=world.out,
        )
    if idle:
        print(f"Valid replica already elected for partitions {_joined(idle)}", file=world.out)
    for part, error in outcomes.errors.items():
        if part in idle:
            continue
        print(
            f"Error completing leader election ({kind}) for partition: {part}: "
            f"{java_cause_of(error)}",
            file=world.out,
        )


def _show_plan(kind: str, parts: Iterable[TopicPartition] | None, world: World) -> None:
    where = "all partitions" if parts is None else f"partitions {_joined(parts)}"
    print(f"DRY RUN of leader election ({kind}) for {where}", file=world.out)


def _joined(parts: Iterable[TopicPartition]) -> str:
    return ", ".join(map(str, parts))


def _is_needless(error: MoldauError) -> bool:
    return isinstance(error, RefusedError) and error.error is ErrorCode.ELECTION_NOT_NEEDED


def _election(given: Given) -> ElectionType:
    text = given.text("election-type") or ""
    if text.upper() not in ElectionType.__members__:
        raise ToolFailedError(f"Cannot parse argument '{text}' of option election-type")
    return ElectionType[text.upper()]


def _check(given: Given) -> None:
    if sum(given.has(scope) for scope in SCOPES) != 1:
        raise ToolFailedError(
            f"One and only one of the following options is required: {', '.join(SCOPES)}"
        )
    if given.has("topic") and not given.has("partition"):
        raise ToolFailedError("Missing required option(s): partition")
    if given.has("partition") and not given.has("topic"):
        raise ToolFailedError("Option partition is only allowed if topic is used")


def _partitions(given: Given, world: World) -> list[TopicPartition] | None:
    """None: all."""
    topic = given.text("topic")
    if topic is not None:
        return [TopicPartition(topic, given.number("partition") or 0)]
    path = given.text("path-to-json-file")
    if path is None:
        return None
    found = read_json(world.files, path, "Replica election data is empty")
    if not isinstance(found, dict) or "partitions" not in found:
        raise ToolFailedError('Replica election data is missing "partitions" field')
    parts = [
        TopicPartition(field_of(row, "topic", str), number_in(row, "partition"))
        for row in rows_in(found, "partitions")
    ]
    twice = dict.fromkeys(str(part) for part in parts if parts.count(part) > 1)
    if twice:
        raise ToolFailedError(
            f"Replica election data contains duplicate partitions: [{', '.join(twice)}]"
        )
    return parts
