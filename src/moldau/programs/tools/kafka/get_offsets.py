"""`moldau get-offsets`: where partitions begin and end, or were at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from moldau.client import TopicPartition
from moldau.client.admin import OffsetPlace
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import (
    BOOTSTRAP,
    COMMAND_CONFIG,
    admin_of,
    check_addresses,
)
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.topic_names import TopicFilter

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "run"]

FAILED = 1
CLIENT_ID = "GetOffsetShell"
INT_MAX = 2**31 - 1
RULE = re.compile(r"([^:,]*)(?::(?:([0-9]*)|(?:([0-9]*)-([0-9]*))))?")
PLACES = {
    "latest": OffsetPlace.LATEST,
    "earliest": OffsetPlace.EARLIEST,
    "max-timestamp": OffsetPlace.MAX_TIMESTAMP,
    "earliest-local": OffsetPlace.EARLIEST_LOCAL,
    "latest-tiered": OffsetPlace.LATEST_TIERED,
    "earliest-pending-upload": OffsetPlace.EARLIEST_PENDING_UPLOAD,
}
PLACES_TEXT = " / ".join(f"{place.value} or {name}" for name, place in PLACES.items())

HEADS = ("TOPIC", "PARTITION", "OFFSET")

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag("topic", "Topics: a regular expression. All without it.", Takes.TEXT, "TOPIC"),
    Flag("partitions", "Numbers of partitions, with commas between.", Takes.TEXT, "N,..."),
    Flag(
        "topic-partitions",
        "Topics with partitions: orders:1, orders:0-3 without the last, orders:5-, :-3.",
        Takes.TEXT,
        "TOPIC:PARTITIONS,...",
    ),
    Flag(
        "time",
        f"Which offset: a place ({PLACES_TEXT}), or milliseconds since 1970 for the first record "
        "that is not older.",
        Takes.TEXT,
        "TIME",
        "latest",
    ),
    Flag("exclude-internal-topics", "Leave out Kafka's own topics."),
)
Wanted: TypeAlias = Callable[[TopicPartition], bool]


def run(given: Given, world: World) -> int:
    given.need("bootstrap-server")
    check_addresses(given)
    try:
        _print(given, world)
    except MoldauError as error:
        if isinstance(error, WrongUsageError):
            raise
        world.errors.write(f"Error occurred: {cause_of(error)}\n")
        return FAILED
    return 0


def _print(given: Given, world: World) -> None:
    if given.has("topic-partitions") and (given.has("topic") or given.has("partitions")):
        raise MoldauError("--topic-partitions cannot be used with --topic or --partitions")
    place = _place(given.text("time") or "")
    wanted = _wanted(given)
    with admin_of(given, world, CLIENT_ID) as admin:
        parts = _partitions(admin, wanted, internal=not given.has("exclude-internal-topics"))
        if not parts:
            raise MoldauError("Could not match any topic-partitions with the specified filters")
        outcomes = admin.list_offsets(dict.fromkeys(parts, place))
    found = [
        (part.topic, part.partition, outcomes[part].offset)
        for part in parts
        if part not in outcomes.errors and outcomes[part].offset is not None
    ]
    is_taken = world.takes(HEADS, found)
    for part in parts:
        if part in outcomes.errors:
            why = cause_of(outcomes.errors[part])
            world.errors.write(
                f"Skip getting offsets for topic-partition {part} due to error: {why}\n"
            )
    for topic, partition, offset in found if not is_taken else ():
        print(f"{topic}:{partition}:{offset}", file=world.out)


def _place(text: str) -> OffsetPlace | int:
    if text in PLACES:
        return PLACES[text]
    if not re.fullmatch(r"[+-]?[0-9]{1,19}", text):
        raise MoldauError(
            f"Malformed time argument {text}. Please use {PLACES_TEXT}, or a specified long format "
            "timestamp"
        )
    number = int(text)
    return OffsetPlace(number) if number in tuple(OffsetPlace) else number


def _partitions(admin: Admin, wanted: Wanted, *, internal: bool) -> list[TopicPartition]:
    """In the order of their names, `topic-10` before `topic-2`, as Kafka has it."""
    listed = admin.list_topics(internal=internal)
    views = admin.describe_topics(listed).all()
    parts = (
        TopicPartition(name, part.partition)
        for name, view in views.items()
        for part in view.partitions
    )
    return sorted(filter(wanted, parts), key=lambda part: f"{part.topic}-{part.partition}")


def _wanted(given: Given) -> Wanted:
    rules = given.text("topic-partitions")
    if rules is not None:
        return _any_of([_rule(text) for text in rules.split(",")])
    topics = TopicFilter(given.text("topic") or ".*")
    numbers = _numbers(given.text("partitions"))
    return lambda part: topics.allows(part.topic) and (not numbers or part.partition in numbers)


def _any_of(rules: Iterable[Wanted]) -> Wanted:
    kept = list(rules)
    return lambda part: any(rule(part) for rule in kept)


def _numbers(text: str | None) -> set[int]:
    try:
        return {int(number) for number in text.rstrip(",").split(",")} if text else set()
    except ValueError:
        raise MoldauError(
            f"--partitions expects a comma separated list of numeric partition ids, but received: "
            f"{text}"
        ) from None


def _rule(text: str) -> Wanted:
    found = RULE.fullmatch(text)
    if found is None:
        raise MoldauError(
            f"org.apache.kafka.tools.TerseException: Invalid rule specification: {text}"
        )
    topic, only, first, end = found.groups()
    topics = TopicFilter(topic or ".*")
    least = int(only or first or 0)
    most = least + 1 if only else int(end or INT_MAX)
    return lambda part: topics.allows(part.topic) and least <= part.partition < most
