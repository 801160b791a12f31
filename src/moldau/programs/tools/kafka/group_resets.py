"""Moving the offsets of groups: which partitions, where to, and doing it."""

from __future__ import annotations

import re
from calendar import monthrange, timegm
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import OffsetPlace
from moldau.config.durations import duration_ms
from moldau.errors import MoldauError
from moldau.platform.ports.files import Files, read_whole
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.flags import Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.java_errors import cause_of, java_cause_of
from moldau.programs.tools.kafka.java_order import in_java_order, partitions_in_java_order

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = [
    "EXECUTION",
    "FLAGS",
    "SCENARIOS",
    "ago_ms",
    "at_time",
    "export",
    "offsets_of_file",
    "offsets_wanted",
    "partitions_of",
    "reset",
    "time_ms",
    "topic_and_numbers",
    "within_logs",
]

SCENARIOS = (
    "to-offset",
    "to-datetime",
    "by-duration",
    "to-earliest",
    "to-latest",
    "to-current",
    "shift-by",
    "from-file",
)
AT_REST = ("Empty", "Dead")
EXECUTION = "java.util.concurrent.ExecutionException: "
"""What Java puts before an error that came from a broker."""
MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)\.(\d{1,3})"
    r"(?:Z|([+-])(\d\d):?(\d\d)?)?"
)
Offsets = Mapping[TopicPartition, int]

FLAGS = (
    Flag("to-earliest", "To where logs begin."),
    Flag("to-latest", "To where logs end."),
    Flag("to-current", "To what is committed; to the end without."),
    Flag("to-offset", "To this offset.", Takes.LONG),
    Flag("to-datetime", "To this time: 2030-01-31T12:00:00.000.", Takes.TEXT, "TIME"),
    Flag("by-duration", "To so long ago: P1DT2H3M4S.", Takes.TEXT, "DURATION"),
    Flag("shift-by", "By so many records; below 0 is back.", Takes.LONG),
    Flag("from-file", "To the offsets of a file that --export wrote.", Takes.TEXT, "FILE"),
    Flag("all-topics", "Every topic of which an offset is committed."),
    Flag("dry-run", "Show what would be done."),
    Flag("execute", "Do it."),
    Flag("export", "Print the offsets as CSV."),
)


def reset(given: Given, admin: Admin, groups: Sequence[str], world: World) -> None:
    """Move them, if `--execute` is given, and print where to."""
    views = admin.describe_consumer_groups(groups)
    planned: dict[str, Offsets] = {}
    for name in groups:
        state = "Dead" if name in views.errors else views[name].state
        if state not in AT_REST:
            print(
                f"\nError: Assignments can only be reset if the group '{name}' is inactive, but "
                f"the current state is {state}.",
                file=world.out,
            )
            planned[name] = {}
            continue
        planned[name] = _plan(given, admin, name, world)
        if given.has("execute"):
            admin.alter_consumer_group_offsets(name, planned[name]).all()
    if given.has("export"):
        export(planned, world, with_groups=len(given.texts("group")) != 1)
    else:
        _print(planned, world)


def _plan(given: Given, admin: Admin, group: str, world: World) -> Offsets:
    if given.has("from-file"):
        wanted = offsets_of_file(world.files, given.text("from-file") or "", group)
        return within_logs(admin, wanted, world)
    return offsets_wanted(given, admin, group, _partitions(given, admin, group), world)


def offsets_wanted(
    given: Given, admin: Admin, group: str, parts: Sequence[TopicPartition], world: World
) -> Offsets:
    """Where the flags say that these partitions shall be."""
    if given.has("to-offset"):
        offset = given.number("to-offset") or 0
        return within_logs(admin, dict.fromkeys(parts, offset), world)
    if given.has("shift-by"):
        return within_logs(admin, _shifted(given, admin, group, parts), world)
    if given.has("to-earliest"):
        return _at(admin, parts, OffsetPlace.EARLIEST)
    if given.has("to-latest"):
        return _at(admin, parts, OffsetPlace.LATEST)
    if given.has("to-current"):
        found = _committed(admin, group)
        ends = _at(admin, [part for part in parts if part not in found], OffsetPlace.LATEST)
        return {part: found.get(part, ends.get(part, 0)) for part in parts}
    if given.has("to-datetime") or given.has("by-duration"):
        return at_time(admin, parts, _moment_ms(given, world), world)
    scenarios = "to-offset to-earliest to-current to-latest by-duration to-datetime from-file"
    shown = ", ".join(f"[{one}]" for one in (*scenarios.split(), "shift-by"))
    raise WrongUsageError(
        f"Option '[reset-offsets]' requires one of the following scenarios: [{shown}]"
    )


def _partitions(given: Given, admin: Admin, group: str) -> list[TopicPartition]:
    if given.has("all-topics"):
        return list(_committed(admin, group))
    if not given.has("topic"):
        raise WrongUsageError("One of the reset scopes should be defined: --all-topics, --topic.")
    return partitions_of(given.texts("topic"), admin)


def partitions_of(texts: Iterable[str], admin: Admin) -> list[TopicPartition]:
    """The partitions of `topic` and `topic:0,1`, in this order; each has to be there."""
    named = [topic_and_numbers(text) for text in texts]
    if any(not topic for topic, _ in named):
        raise MoldauError("The given topic name '' cannot be represented in a request.")
    views = admin.describe_topics([topic for topic, _ in named])
    parts, missing = [], []
    for topic, numbers in named:
        if topic in views.errors:
            why = views.errors[topic]
            raise MoldauError(
                cause_of(why) if numbers is None else f"{EXECUTION}{java_cause_of(why)}"
            )
        there = [part.partition for part in views[topic].partitions]
        parts += [TopicPartition(topic, number) for number in numbers or there]
        missing += [f"{topic}-{number}" for number in numbers or () if number not in there]
    if missing:
        raise MoldauError(f'The partitions "{",".join(missing)}" do not exist')
    return parts


def topic_and_numbers(text: str) -> tuple[str, list[int] | None]:
    """The topic and the numbers in `topic`, or in `topic:0,1`."""
    if ":" not in text:
        return text, None
    topic, *rest = text.rstrip(":").split(":")
    if len(rest) != 1:
        raise WrongUsageError(f"Invalid topic arg '{text}', expected topic name and partitions")
    numbers = rest[0].split(",")
    for number in numbers:
        if not re.fullmatch(r"[+-]?\d+", number, re.ASCII):
            raise WrongUsageError(f"Invalid partition '{number}' specified in topic arg '{text}''")
    return topic, [int(number) for number in numbers]


def _committed(admin: Admin, group: str) -> dict[TopicPartition, int]:
    found = admin.list_consumer_group_offsets(group)[group]
    return {part: offset.offset for part, offset in found.items() if offset is not None}


def _at(
    admin: Admin, parts: Iterable[TopicPartition], place: OffsetPlace
) -> dict[TopicPartition, int]:
    wanted = dict.fromkeys(parts, place)
    found = admin.list_offsets(wanted).all() if wanted else {}
    return {part: view.offset or 0 for part, view in found.items()}


def at_time(admin: Admin, parts: Sequence[TopicPartition], moment_ms: int, world: World) -> Offsets:
    """The first record that is not older; the end, where none is."""
    found = admin.list_offsets(dict.fromkeys(parts, moment_ms)).all()
    later = {part: view.offset for part, view in found.items() if view.offset is not None}
    ended = partitions_in_java_order(part for part in parts if part not in later)
    for topic, number in ended:
        print(
            f"\nWarn: Partition {number} from topic {topic} is empty. Falling back to latest known "
            "offset.",
            file=world.out,
        )
    return {**later, **_at(admin, ended, OffsetPlace.LATEST)}


def _shifted(
    given: Given, admin: Admin, group: str, parts: Sequence[TopicPartition]
) -> dict[TopicPartition, int]:
    found, shift = _committed(admin, group), given.number("shift-by") or 0
    for part in parts:
        if part not in found:
            raise WrongUsageError(
                f"Cannot shift offset for partition {part} since there is no current committed "
                "offset"
            )
    return {part: found[part] + shift for part in parts}


def within_logs(admin: Admin, wanted: Offsets, world: World) -> Offsets:
    """An offset that is not in its log becomes the nearest that is."""
    starts = _at(admin, wanted, OffsetPlace.EARLIEST)
    ends = _at(admin, wanted, OffsetPlace.LATEST)
    found = {}
    for part, offset in wanted.items():
        kept = min(max(offset, starts[part]), ends[part])
        if kept != offset:
            which = "higher than latest" if offset > kept else "lower than earliest"
            world.errors.write(
                f"New offset ({offset}) is {which} offset for topic partition {part}. Value will "
                f"be set to {kept}\n"
            )
        found[part] = kept
    return found


def _moment_ms(given: Given, world: World) -> int:
    text = given.text("to-datetime")
    if text is not None:
        return time_ms(text)
    return world.clock.now_ms() - ago_ms(given.text("by-duration") or "")


def time_ms(text: str) -> int:
    """ISO 8601, in UTC if it names no zone."""
    if "T" not in text:
        raise MoldauError(
            "java.text.ParseException: Error parsing timestamp. It does not contain a 'T' "
            "according to ISO8601 format"
        )
    found = MOMENT.fullmatch(text)
    if found is None or not _is_a_day(*map(int, found.groups()[:3])):
        utc = "" if re.search("[+Z-]", text.partition("T")[2]) else "Z"
        raise MoldauError(f'java.text.ParseException: Unparseable date: "{text}{utc}"')
    seconds = timegm(tuple(map(int, found.groups()[:6])))
    shift = int(f"{found[8]}1") * (int(found[9]) * 60 + int(found[10] or 0)) * 60 if found[8] else 0
    return (seconds - shift) * 1000 + int(found[7])


def _is_a_day(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and year > 0 and 1 <= day <= monthrange(year, month)[1]


def ago_ms(text: str) -> int:
    """How long ago `--by-duration` is."""
    found = duration_ms(text)
    if found is None:
        raise MoldauError("Text cannot be parsed to a Duration")
    return found


def offsets_of_file(files: Files, path: str, group: str) -> Offsets:
    """Lines of `topic,partition,offset`, or with the group before it."""
    status = files.status(path)
    if status is None or status.is_directory:
        raise MoldauError(f"java.io.IOException: Unable to read file {path}")
    found = {}
    for number, line in enumerate(read_whole(files, path).decode().splitlines(), start=1):
        fields = [field.strip().strip('"') for field in line.split(",")]
        if len(fields) == 4 and fields.pop(0) != group:
            continue
        if len(fields) != 3 or not (fields[1].isdecimal() and fields[2].isdecimal()):
            raise MoldauError(f"{path}, line {number}: it has to be topic,partition,offset")
        found[TopicPartition(fields[0], int(fields[1]))] = int(fields[2])
    return found


def export(planned: Mapping[str, Offsets], world: World, *, with_groups: bool) -> None:
    for group, part, offset in _in_order(planned):
        before = f"{group}," if with_groups else ""
        print(f"{before}{part.topic},{part.partition},{offset}", file=world.out)
    print(file=world.out)


def _print(planned: Mapping[str, Offsets], world: World) -> None:
    groups = max([15, *(len(group) for group in planned)])
    topics = max([15, *(len(part.topic) for offsets in planned.values() for part in offsets)])
    line = f"\n{{:<{groups}}} {{:<{topics}}} {{:<10}} {{}}"
    if planned:
        world.out.write(line.format("GROUP", "TOPIC", "PARTITION", "NEW-OFFSET"))
    for group, part, offset in _in_order(planned):
        world.out.write(line.format(group, part.topic, part.partition, offset))
    world.out.write("\n")


def _in_order(planned: Mapping[str, Offsets]) -> Iterator[tuple[str, TopicPartition, int]]:
    """As Java's maps have groups and partitions."""
    for group in in_java_order(planned):
        for part in partitions_in_java_order(planned[group]):
            yield group, part, planned[group][part]
