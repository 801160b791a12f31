"""Moving the offsets of groups, and deleting groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from moldau.client import TopicPartition
from moldau.client.admin import GroupType, OffsetPlace
from moldau.programs.console.api.refusals import no_partition
from moldau.programs.console.changes.change import NUMBER, Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import admin_line, command_line, with_text_file
from moldau.programs.console.groups.groups import committed_offsets, listed_group
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request
from moldau.programs.rest.times import iso_time

__all__ = ["COMMANDS", "GROUP_KINDS", "forgetting_line", "restoring"]

AT_REST: Final = ("Empty", "Dead")
END: Final = "the end"
PLACES: Final = {"earliest": OffsetPlace.EARLIEST, "latest": OffsetPlace.LATEST}
COMMANDS: Final = {GroupType.SHARE: "share-groups", GroupType.STREAMS: "streams-groups"}
FILE: Final = "offsets.csv"
OFFSETS_MAX: Final = 10_000
"""Of one change: each has a line of the difference, which a person reads."""
OFFSET_END: Final = 2**63
"""Of the 64 bits that an offset has in Kafka's protocol."""
NOT_IN_LOGS: Final = "Offsets outside of their logs become the nearest ones that are in them."
Offsets = dict[TopicPartition, int]


async def _reset(reach: Reach, given: Given) -> Change:
    name, topic = field_of(given, "group", str), maybe_field(given, "topic", str)
    kind = await _ensure_at_rest(reach, name)
    before = await committed_offsets(reach, name, kind)
    parts = await _parts(reach, before, topic, maybe_field(given, "partition", int))
    wanted = await _wanted(reach, given, parts, before)
    to_end = given["to"] == "latest"

    async def run() -> None:
        await _moved(reach, name, kind, wanted)

    return Change(
        _reset_line(reach, name, kind, given, wanted),
        [
            # The end moves where records come, and is meant wherever it is then.
            Difference(str(part), _text(before.get(part)), END if to_end else _text(offset))
            for part, offset in sorted(wanted.items())
        ],
        run,
        undo=restoring(name, before, wanted, kind),
    )


def _reset_line(reach: Reach, name: str, kind: GroupType, given: Given, wanted: Offsets) -> str:
    if kind is GroupType.SHARE and given["to"] in ("offset", "shift"):
        return _share_line(reach, name, wanted)
    words = ["--reset-offsets", "--group", name, *_topic_words(given, kind), *_place_words(given)]
    return command_line(reach.settings, COMMANDS.get(kind, "consumer-groups"), *words, "--execute")


async def _restore(reach: Reach, given: Given) -> Change:
    """Offsets one by one, which takes a reset back: null is none, as it was before."""
    name = field_of(given, "group", str)
    kind = await _ensure_at_rest(reach, name)
    before = await committed_offsets(reach, name, kind)
    wanted = _placed(field_of(given, "offsets", dict))
    await _ensure_there(reach, wanted)
    asked = {part: offset for part, offset in wanted.items() if offset is not None}
    kept = await _within_logs(reach, asked)
    gone = [part for part, offset in wanted.items() if offset is None and part in before]
    if kind is GroupType.SHARE:
        _ensure_whole_topics(gone, before)

    async def run() -> None:
        if kept:
            await _moved(reach, name, kind, kept)
        if gone:
            await _forgotten(reach, name, kind, gone)

    after = {**kept, **dict.fromkeys(gone)}
    return Change(
        _restoring_lines(reach, name, kind, kept, gone),
        [Difference(str(part), _text(before.get(part)), _text(to)) for part, to in after.items()],
        run,
        warning=NOT_IN_LOGS if kept != asked else None,
        undo=restoring(name, before, after, kind),
    )


def _placed(offsets: Mapping[str, Any]) -> dict[TopicPartition, int | None]:
    if not 0 < len(offsets) <= OFFSETS_MAX:
        raise bad_request(f"offsets are of 1 to {OFFSETS_MAX} partitions: move others after them")
    found = {_part(part): offset for part, offset in offsets.items()}
    for part, offset in found.items():
        if offset is not None and not (type(offset) is int and 0 <= offset < OFFSET_END):
            raise bad_request(
                f"{part} has no offset from 0 to {OFFSET_END - 1}: write them as orders-0: 12"
            )
    return found


async def _ensure_there(reach: Reach, wanted: Iterable[TopicPartition]) -> None:
    views = await reach.topics(sorted({part.topic for part in wanted}))
    there = {TopicPartition(view.name, one.partition) for view in views for one in view.partitions}
    for part in wanted:
        if part not in there:
            count = sum(one.topic == part.topic for one in there)
            raise no_partition(part.topic, part.partition, count)


def _ensure_whole_topics(gone: Iterable[TopicPartition], before: Offsets) -> None:
    """Of share groups Kafka forgets topics alone."""
    topics, parts = {part.topic for part in gone}, set(gone)
    for part in before:
        if part.topic in topics and part not in parts:
            raise bad_request(
                f"a share group is forgotten in whole topics: give {part} no offset either"
            )


async def _within_logs(reach: Reach, wanted: Offsets) -> Offsets:
    """The nearest offsets that are in their logs, as Kafka's tool takes them."""
    if not wanted:
        return {}
    first = await _offsets(reach, dict.fromkeys(wanted, OffsetPlace.EARLIEST))
    last = await _offsets(reach, dict.fromkeys(wanted, OffsetPlace.LATEST))
    return {part: min(max(wanted[part], first[part]), last[part]) for part in wanted}


def _restoring_lines(
    reach: Reach, name: str, kind: GroupType, kept: Offsets, gone: Sequence[TopicPartition]
) -> str:
    """Kafka's tool for share groups moves them to no offset of their own."""
    lines = []
    if kept and kind is GroupType.SHARE:
        lines.append(_share_line(reach, name, kept))
    elif kept:
        rows = "\n".join(f"{part.topic},{part.partition},{to}" for part, to in kept.items())
        words = ("--reset-offsets", "--group", name, "--from-file", FILE, "--execute")
        command = COMMANDS.get(kind, "consumer-groups")
        lines.append(with_text_file(FILE, rows, command_line(reach.settings, command, *words)))
    if gone:
        lines.append(forgetting_line(reach, name, kind, gone))
    return "\n".join(lines)


def _share_line(reach: Reach, name: str, offsets: Offsets) -> str:
    places = {(part.topic, part.partition): to for part, to in offsets.items()}
    return admin_line(reach.settings, f"alter_share_group_offsets({name!r}, {places!r})")


def forgetting_line(
    reach: Reach, name: str, kind: GroupType, parts: Sequence[TopicPartition]
) -> str:
    """Of whole topics, where the group is a share group."""
    words: list[object] = ["--delete-offsets", "--group", name]
    flag = "--input-topic" if kind is GroupType.STREAMS else "--topic"
    for topic, those in groupby(sorted(parts), lambda part: part.topic):
        numbers = ",".join(str(part.partition) for part in those)
        words += [flag, topic if kind is GroupType.SHARE else f"{topic}:{numbers}"]
    return command_line(reach.settings, COMMANDS.get(kind, "consumer-groups"), *words)


async def _forgotten(
    reach: Reach, name: str, kind: GroupType, parts: Sequence[TopicPartition]
) -> None:
    if kind is GroupType.SHARE:
        topics = sorted({part.topic for part in parts})
        (await reach.admin.delete_share_group_offsets(name, topics)).all()
    else:
        (await reach.admin.delete_consumer_group_offsets(name, list(parts))).all()


async def _delete(reach: Reach, given: Given) -> Change:
    name = field_of(given, "group", str)
    kind = await _ensure_at_rest(reach, name)
    before = await committed_offsets(reach, name, kind)

    async def run() -> None:
        (await reach.admin.delete_groups(name)).all()

    line = ("--delete", "--group", name)
    return Change(
        command_line(reach.settings, COMMANDS.get(kind, "consumer-groups"), *line),
        [
            Difference(f"group {name}", f"{len(before)} offsets", None),
            *(Difference(str(part), str(offset), None) for part, offset in sorted(before.items())),
        ],
        run,
        warning="Its offsets are forgotten: a consumer of this name begins anew.",
    )


async def _moved(reach: Reach, name: str, kind: GroupType, wanted: Offsets) -> None:
    if kind is GroupType.SHARE:
        (await reach.admin.alter_share_group_offsets(name, wanted)).all()
    else:
        (await reach.admin.alter_consumer_group_offsets(name, wanted)).all()


async def _ensure_at_rest(reach: Reach, name: str) -> GroupType:
    found = await listed_group(reach, name)
    if found.state not in AT_REST:
        raise HttpError(
            409,
            f"Group {name} is {found.state}: its offsets belong to its members, so stop them first",
        )
    return found.type


async def _parts(
    reach: Reach, before: Mapping[TopicPartition, int], topic: str | None, number: int | None
) -> list[TopicPartition]:
    if topic is None:
        if not before:
            raise bad_request("the group has no offsets yet: name a topic")
        return sorted(before)
    numbers = [one.partition for one in (await reach.topic(topic)).partitions]
    if number is not None and number not in numbers:
        raise no_partition(topic, number, len(numbers))
    return [TopicPartition(topic, one) for one in numbers if number in (None, one)]


async def _wanted(
    reach: Reach, given: Given, parts: list[TopicPartition], before: Offsets
) -> Offsets:
    """Never below where a log begins, nor above where it ends."""
    first = await _offsets(reach, dict.fromkeys(parts, OffsetPlace.EARLIEST))
    last = await _offsets(reach, dict.fromkeys(parts, OffsetPlace.LATEST))
    to = field_of(given, "to", str)
    if to in PLACES:
        return first if to == "earliest" else last
    if to == "offset":
        found = dict.fromkeys(parts, field_of(given, "offset", int))
    elif to == "shift":
        by = field_of(given, "by", int)
        found = {part: before[part] + by for part in parts if part in before}
    elif to == "time":
        times = dict.fromkeys(parts, field_of(given, "time", int))
        found = {**last, **await _offsets(reach, times)}
    else:
        raise bad_request("to is earliest, latest, offset, shift or time")
    return {part: min(max(found[part], first[part]), last[part]) for part in found}


async def _offsets(reach: Reach, wanted: Mapping[TopicPartition, Any]) -> Offsets:
    found = (await reach.admin.list_offsets(wanted)).all()
    return {part: one.offset for part, one in found.items() if one.offset is not None}


def _topic_words(given: Given, kind: GroupType) -> list[str]:
    topic, number = given.get("topic"), given.get("partition")
    inputs = "input-" if kind is GroupType.STREAMS else ""
    if topic is None:
        return [f"--all-{inputs}topics"]
    return [f"--{inputs}topic", topic if number is None else f"{topic}:{number}"]


def _place_words(given: Given) -> list[str]:
    match given["to"]:
        case "offset":
            return ["--to-offset", str(given["offset"])]
        case "shift":
            return ["--shift-by", str(given["by"])]
        case "time":
            return ["--to-datetime", _moment(given["time"])]
        case place:
            return [f"--to-{place}"]


def _moment(ms: int) -> str:
    """With its milliseconds: the tool takes no time without them."""
    text = iso_time(ms)
    return text if "." in text else f"{text[:-1]}.000Z"


def restoring(
    name: str, before: Offsets, wanted: Iterable[TopicPartition], kind: GroupType
) -> tuple[str, dict[str, Any]] | None:
    """What was there, and null for none; a share group loses no single partition again."""
    kept = {part.topic for part in before} if kind is GroupType.SHARE else set()
    former = {
        f"{part.topic}-{part.partition}": before.get(part)
        for part in wanted
        if part in before or part.topic not in kept
    }
    if not 0 < len(former) <= OFFSETS_MAX:
        return None
    return ("restore-offsets", {"group": name, "offsets": former})


def _part(text: str) -> TopicPartition:
    topic, _, number = text.rpartition("-")
    if not topic or not NUMBER.fullmatch(number):
        raise bad_request(f"{text} is no partition, such as orders-0")
    return TopicPartition(topic, int(number))


def _text(offset: int | None) -> str | None:
    return None if offset is None else str(offset)


GROUP_KINDS: Final = (
    Kind(
        "reset-offsets",
        "Move the offsets of a group without members",
        {
            "group": "string",
            "topic": "string?",
            "partition": "integer?",
            "to": "string",
            "offset": "integer?",
            "by": "integer?",
            "time": "integer?",
        },
        _reset,
    ),
    Kind(
        "restore-offsets",
        "Set offsets of a group one by one",
        {"group": "string", "offsets": "object"},
        _restore,
    ),
    Kind("delete-group", "Delete a group without members", {"group": "string"}, _delete),
)
