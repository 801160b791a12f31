"""Moving the offsets of groups, and deleting groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.client import TopicPartition
from moldau.client.admin import GroupType, OffsetPlace
from moldau.programs.console.changes.change import NUMBER, Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line
from moldau.programs.console.groups.groups import committed_offsets, listed_group
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request
from moldau.programs.rest.times import iso_time

__all__ = ["COMMANDS", "GROUP_KINDS", "restoring"]

AT_REST: Final = ("Empty", "Dead")
END: Final = "the end"
PLACES: Final = {"earliest": OffsetPlace.EARLIEST, "latest": OffsetPlace.LATEST}
COMMANDS: Final = {GroupType.SHARE: "share-groups", GroupType.STREAMS: "streams-groups"}
Offsets = dict[TopicPartition, int]


async def _reset(reach: Reach, given: Given) -> Change:
    name, topic = field_of(given, "group", str), maybe_field(given, "topic", str)
    kind = await _ensure_at_rest(reach, name)
    before = await committed_offsets(reach, name, kind)
    parts = await _parts(reach, before, topic, maybe_field(given, "partition", int))
    wanted = await _wanted(reach, given, parts, before)
    words = ["--reset-offsets", "--group", name, *_topic_words(given), *_place_words(given)]
    to_end = given["to"] == "latest"

    async def run() -> None:
        await _moved(reach, name, kind, wanted)

    return Change(
        command_line(reach.settings, COMMANDS.get(kind, "consumer-groups"), *words, "--execute"),
        [
            # The end moves where records come, and is meant wherever it is then.
            Difference(str(part), _text(before.get(part)), END if to_end else _text(offset))
            for part, offset in sorted(wanted.items())
        ],
        run,
        undo=restoring(name, before, wanted),
    )


async def _restore(reach: Reach, given: Given) -> Change:
    """Offsets one by one: what takes a reset back."""
    name = field_of(given, "group", str)
    kind = await _ensure_at_rest(reach, name)
    before = await committed_offsets(reach, name, kind)
    wanted = {_part(part): offset for part, offset in field_of(given, "offsets", dict).items()}
    if not wanted or not all(type(offset) is int and offset >= 0 for offset in wanted.values()):
        raise bad_request('offsets are by partition, such as {"orders-0": 12}')

    async def run() -> None:
        await _moved(reach, name, kind, wanted)

    lines = [
        command_line(
            reach.settings,
            COMMANDS.get(kind, "consumer-groups"),
            "--reset-offsets",
            "--group",
            name,
            "--topic",
            f"{part.topic}:{part.partition}",
            "--to-offset",
            offset,
            "--execute",
        )
        for part, offset in wanted.items()
    ]
    return Change(
        "\n".join(lines),
        [Difference(str(part), _text(before.get(part)), _text(to)) for part, to in wanted.items()],
        run,
        undo=restoring(name, before, wanted),
    )


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
        raise HttpError(404, f"Topic {topic} has no partition {number}")
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


def _topic_words(given: Given) -> list[str]:
    topic, number = given.get("topic"), given.get("partition")
    if topic is None:
        return ["--all-topics"]
    return ["--topic", topic if number is None else f"{topic}:{number}"]


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


def restoring(name: str, before: Offsets, wanted: Offsets) -> tuple[str, dict[str, Any]] | None:
    """Only offsets that were there can be restored."""
    former = {f"{part.topic}-{part.partition}": before[part] for part in wanted if part in before}
    return ("restore-offsets", {"group": name, "offsets": former}) if former else None


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
