"""Where partitions lie: reassignment, giving it up, and elections of leaders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from moldau.client import TopicPartition
from moldau.client.admin import PartitionView
from moldau.programs.console.changes.change import (
    NUMBER,
    Change,
    Difference,
    Given,
    Kind,
    NothingToDoError,
)
from moldau.programs.console.changes.commands import command_line, with_file
from moldau.programs.console.lookups.all_topics import topics_in_pages
from moldau.programs.console.reach import Reach
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request

__all__ = ["PARTITION_KINDS"]

FILE: Final = "moves.json"
ELECTED: Final = "elect.json"


async def _reassign(reach: Reach, given: Given) -> Change:
    view = await reach.topic(field_of(given, "topic", str))
    wanted = _wanted(field_of(given, "replicas", dict), len(view.partitions))
    await _ensure_brokers(reach, wanted)
    now = {one.partition: one.replicas for one in view.partitions}
    call = {TopicPartition(view.name, number): to for number, to in wanted.items()}

    async def run() -> None:
        (await reach.admin.alter_partition_reassignments(call)).all()

    undo = {str(number): list(now[number]) for number in wanted}
    return Change(
        _command(reach, view.name, wanted, "--execute"),
        [
            Difference(f"{view.name}-{number}", _joined(now[number]), _joined(to))
            for number, to in wanted.items()
        ],
        run,
        warning="Its records are copied to brokers that do not have them yet.",
        undo=("reassign", {"topic": view.name, "replicas": undo}),
    )


async def _cancel(reach: Reach, given: Given) -> Change:
    topic = field_of(given, "topic", str)
    moving = await reach.admin.list_partition_reassignments()
    found = {part: one for part, one in moving.items() if part.topic == topic}
    if not found:
        raise NothingToDoError(f"No partition of {topic} is moving")

    async def run() -> None:
        (await reach.admin.alter_partition_reassignments(dict.fromkeys(found))).all()

    plan = {part.partition: one.replicas for part, one in found.items()}
    return Change(
        # The tool would otherwise lift throttles of all brokers, which this does not.
        _command(reach, topic, plan, "--cancel", "--preserve-throttles"),
        [
            Difference(str(part), f"moving to {_joined(one.replicas)}", "stays")
            for part, one in found.items()
        ],
        run,
    )


async def _elect(reach: Reach, given: Given) -> Change:
    """The first replica of each partition leads again: of one topic, or of all."""
    topic = maybe_field(given, "topic", str)
    others = [(part, one) for part, one in await _placed(reach, topic) if _is_led_by_another(one)]
    if not others:
        whose = "all topics" if topic is None else topic
        raise NothingToDoError(f"Every partition of {whose} is led by its first replica")
    parts = [part for part, _ in others]

    async def run() -> None:
        (await reach.admin.elect_leaders(parts)).all()

    return Change(
        _election_command(reach, None if topic is None else parts),
        [
            Difference(f"leader of {part}", str(one.leader), str(one.replicas[0]))
            for part, one in others
        ],
        run,
    )


async def _placed(reach: Reach, topic: str | None) -> list[tuple[TopicPartition, PartitionView]]:
    if topic is None:
        pages = topics_in_pages(reach.admin)
        views = [view async for page in pages for view in page.topics.values()]
    else:
        views = [await reach.topic(topic)]
    return [
        (TopicPartition(view.name, one.partition), one) for view in views for one in view.partitions
    ]


def _is_led_by_another(one: PartitionView) -> bool:
    return bool(one.replicas) and one.leader != one.replicas[0]


def _election_command(reach: Reach, parts: Sequence[TopicPartition] | None) -> str:
    words = ["--election-type", "preferred"]
    if parts is None:
        return command_line(reach.settings, "leader-election", *words, "--all-topic-partitions")
    line = command_line(reach.settings, "leader-election", *words, "--path-to-json-file", ELECTED)
    return with_file(ELECTED, {"partitions": [part._asdict() for part in parts]}, line)


def _wanted(given: dict[str, Any], count: int) -> dict[int, list[int]]:
    found = {}
    for number, brokers in given.items():
        is_number = NUMBER.fullmatch(number) and int(number) < count
        is_list = isinstance(brokers, list) and brokers
        if not is_number or not is_list or not all(type(one) is int for one in brokers):
            raise bad_request('replicas are brokers by partition, such as {"0": [1, 2, 3]}')
        found[int(number)] = list(brokers)
    if not found:
        raise bad_request("name a partition in `replicas`")
    return found


async def _ensure_brokers(reach: Reach, wanted: dict[int, list[int]]) -> None:
    there = {node.node_id for node in (await reach.admin.describe_cluster()).nodes}
    for broker in {one for brokers in wanted.values() for one in brokers} - there:
        raise bad_request(f"there is no broker {broker}; there are {sorted(there)}")


def _command(reach: Reach, topic: str, plan: dict[int, Any], *words: str) -> str:
    moves = [
        {"topic": topic, "partition": number, "replicas": list(to)} for number, to in plan.items()
    ]
    line = command_line(
        reach.settings, "reassign-partitions", "--reassignment-json-file", FILE, *words
    )
    return with_file(FILE, {"version": 1, "partitions": moves}, line)


def _joined(brokers: Sequence[int]) -> str:
    return ", ".join(map(str, brokers))


PARTITION_KINDS: Final = (
    Kind(
        "reassign",
        "Move partitions to other brokers",
        {"topic": "string", "replicas": "object"},
        _reassign,
    ),
    Kind("cancel-reassignment", "Stop what moves", {"topic": "string"}, _cancel),
    Kind(
        "elect-leaders",
        "Let the first replicas lead, of one topic or of all",
        {"topic": "string?"},
        _elect,
    ),
)
