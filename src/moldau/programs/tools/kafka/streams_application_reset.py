"""`moldau streams-application-reset`: an application of Kafka Streams begins anew.

The offsets of its input topics move, and the topics that it made for itself are deleted. What its
instances keep on their own disks is theirs to clean up (`KafkaStreams#cleanUp`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import OffsetPlace
from moldau.client.errors import RefusedError
from moldau.errors import FileMissingError, MoldauError
from moldau.platform.ports.files import Files, read_whole
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import (
    BOOTSTRAP,
    COMMAND_CONFIG,
    DRY_RUN,
    admin_of,
    java_cause_of,
)
from moldau.programs.tools.kafka.flags import Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.group_resets import ago_ms, time_ms
from moldau.programs.tools.kafka.java_order import in_java_order
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "is_internal", "run"]

FAILED = 1
DEFAULT_SERVER = "localhost:9092"
PLACES = (
    "to-offset",
    "to-datetime",
    "by-duration",
    "to-earliest",
    "to-latest",
    "from-file",
    "shift-by",
)
INTERNAL = re.compile(
    r".*-(?:changelog|repartition|subscription-registration-topic|subscription-response-topic)"
    r"|.+-KTABLE-FK-JOIN-SUBSCRIPTION-(?:REGISTRATION|RESPONSE)-\d+-topic"
)
"""What Kafka Streams calls the topics that it makes."""
DEPRECATED = "WARN: `--intermediate-topics` is deprecated and will be removed in a future release"
Offsets = Mapping[TopicPartition, int]

FLAGS = (
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag("config-file", "The same.", Takes.TEXT, "FILE", instead="command-config"),
    Flag("application-id", "The application.id. Required.", Takes.TEXT, "ID"),
    Flag("input-topics", "Topics that are read from the beginning again.", Takes.TEXT, "TOPIC,..."),
    Flag("intermediate-topics", "Topics that are read on from their end.", Takes.TEXT, "TOPIC,..."),
    Flag("internal-topics", "Delete these of the internal topics alone.", Takes.TEXT, "TOPIC,..."),
    Flag("to-offset", "Input topics: to this offset.", Takes.LONG),
    Flag("to-datetime", "To this time: 2030-01-31T12:00:00.000.", Takes.TEXT, "TIME"),
    Flag("by-duration", "To so long ago: P1DT2H3M4S.", Takes.TEXT, "DURATION"),
    Flag("to-earliest", "To where logs begin."),
    Flag("to-latest", "To where logs end."),
    Flag("from-file", "To the offsets of a file: topic,partition,offset.", Takes.TEXT, "FILE"),
    Flag("shift-by", "By so many records; below 0 is back.", Takes.LONG),
    Flag("force", "Remove members that are left in the group."),
    DRY_RUN,
)


def run(given: Given, world: World) -> int:
    _check(given)
    if given.has("intermediate-topics"):
        print(DEPRECATED, file=world.out)
    group = given.text("application-id") or ""
    try:
        with admin_of(given, world, default_server=DEFAULT_SERVER) as admin:
            _empty(given, admin, group, world)
            topics = in_java_order(admin.list_topics(internal=False))
            if given.has(DRY_RUN.name):
                print(
                    "----Dry run displays the actions which will be performed when running "
                    "Streams Reset Tool----",
                    file=world.out,
                )
            code = _move(given, admin, topics, world)
            _delete(given, admin, topics, world)
            return code
    except MoldauError as error:
        world.errors.write(f"ERROR: {java_cause_of(error)}\n")
        return FAILED


def _check(given: Given) -> None:
    if not given.has("application-id"):
        raise WrongUsageError("Missing required option(s) [application-id]")
    for place in PLACES:
        given.refuse(place, [other for other in PLACES if other != place])


def _listed(given: Given, flag: str) -> list[str]:
    return [name for text in given.texts(flag) for name in text.split(",")]


def _empty(given: Given, admin: Admin, group: str, world: World) -> None:
    """Without members, or not at all."""
    views = admin.describe_consumer_groups([group])
    members = [] if _is_unknown(views.errors.get(group)) else views[group].members
    if not members:
        return
    if not given.has("force"):
        names = ", ".join(member.member_id for member in members)
        raise MoldauError(
            f"Consumer group '{group}' is still active and has following members: [{names}]. Make "
            "sure to stop all running application instances before running the reset tool. You can "
            "use option '--force' to remove active members from the group."
        )
    print(f"Force deleting all active members in the group: {group}", file=world.out)
    if not given.has(DRY_RUN.name):
        admin.remove_members_from_consumer_group(group).all()


def _is_unknown(error: MoldauError | None) -> bool:
    return isinstance(error, RefusedError) and error.error is ErrorCode.GROUP_ID_NOT_FOUND


def _move(given: Given, admin: Admin, topics: Sequence[str], world: World) -> int:
    inputs, between = _listed(given, "input-topics"), _listed(given, "intermediate-topics")
    if not inputs and not between:
        print("No input or intermediate topics specified. Skipping seek.", file=world.out)
        return 0
    if inputs:
        print(f"Reset-offsets for input topics [{', '.join(inputs)}]", file=world.out)
    if between:
        print(f"Seek-to-end for intermediate topics [{', '.join(between)}]", file=world.out)
    missing = _skipped(inputs, topics, "input", " ", world)
    missing += _skipped(between, topics, "intermediate", "", world)
    known = [name for name in (*inputs, *between) if name in topics]
    if known:
        _commit(given, admin, known, world)
        print("Done.", file=world.out)
    return FAILED if missing else 0


def _skipped(
    names: Sequence[str], topics: Sequence[str], kind: str, gap: str, world: World
) -> list[str]:
    missing = [name for name in names if name not in topics]
    if missing:
        print(f"Following {kind} topics are not found, skipping them", file=world.out)
    for name in missing:
        print(f"Topic:{gap}{name}", file=world.out)
    return missing


def _commit(given: Given, admin: Admin, topics: Sequence[str], world: World) -> None:
    inputs = set(_listed(given, "input-topics"))
    views = admin.describe_topics(topics).all()
    parts = [
        TopicPartition(name, one.partition) for name in views for one in views[name].partitions
    ]
    moved = _inputs(given, admin, [part for part in parts if part.topic in inputs], world)
    ended = _ends(given, admin, [part for part in parts if part.topic not in inputs], world)
    if not given.has(DRY_RUN.name):
        group = given.text("application-id") or ""
        admin.alter_consumer_group_offsets(group, {**moved, **ended}).all()


def _inputs(given: Given, admin: Admin, parts: Sequence[TopicPartition], world: World) -> Offsets:
    if not parts:
        return {}
    group = given.text("application-id")
    print(
        f"Following input topics offsets will be reset to (for consumer group {group})",
        file=world.out,
    )
    offsets = _wanted(given, admin, parts, world)
    for part in parts:
        print(
            f"Topic: {part.topic} Partition: {part.partition} Offset: {offsets[part]}",
            file=world.out,
        )
    return offsets


def _ends(given: Given, admin: Admin, parts: Sequence[TopicPartition], world: World) -> Offsets:
    if not parts:
        return {}
    group = given.text("application-id")
    print(
        f"Following intermediate topics offsets will be reset to end (for consumer group {group})",
        file=world.out,
    )
    for part in parts:
        print(f"Topic: {part.topic}", file=world.out)
    return _at(admin, parts, OffsetPlace.LATEST)


def _wanted(given: Given, admin: Admin, parts: Sequence[TopicPartition], world: World) -> Offsets:
    if given.has("to-latest"):
        return _at(admin, parts, OffsetPlace.LATEST)
    if given.has("to-datetime"):
        return _at_time(admin, parts, time_ms(given.text("to-datetime") or ""), world)
    if given.has("by-duration"):
        since_ms = world.clock.now_ms() - ago_ms(given.text("by-duration") or "")
        return _at_time(admin, parts, since_ms, world)
    offset = given.number("to-offset")
    if offset is not None:
        return _within(admin, dict.fromkeys(parts, offset), world)
    shift = given.number("shift-by")
    if shift is not None:
        return _within(admin, _shifted(given, admin, parts, shift), world)
    if given.has("from-file"):
        return _within(admin, _planned(given, world.files, parts), world)
    return _at(admin, parts, OffsetPlace.EARLIEST)


def _shifted(given: Given, admin: Admin, parts: Sequence[TopicPartition], shift: int) -> Offsets:
    """From what is committed, or where the application would begin."""
    group = given.text("application-id") or ""
    committed = admin.list_consumer_group_offsets(group)[group]
    ends = _at(admin, parts, OffsetPlace.LATEST)
    found = {part: committed.get(part) for part in parts}
    return {
        part: (ends[part] if offset is None else offset.offset) + shift
        for part, offset in found.items()
    }


def _planned(given: Given, files: Files, parts: Iterable[TopicPartition]) -> Offsets:
    path = given.text("from-file") or ""
    status = files.status(path)
    if status is None or status.is_directory:
        raise FileMissingError(path, "there is no such file of offsets")
    plan = {}
    for number, line in enumerate(read_whole(files, path).decode().splitlines(), start=1):
        fields = [field.strip() for field in line.split(",")]
        if len(fields) != 3 or not (fields[1].isdecimal() and fields[2].isdecimal()):
            raise MoldauError(f"{path}, line {number}: it has to be topic,partition,offset")
        plan[TopicPartition(fields[0], int(fields[1]))] = int(fields[2])
    for part in parts:
        if part not in plan:
            raise MoldauError(f"{path} has no offset for {part}, which --input-topics names")
    return {part: plan[part] for part in parts}


def _within(admin: Admin, wanted: Offsets, world: World) -> Offsets:
    """An offset that is not in its log becomes the nearest that is."""
    starts = _at(admin, wanted, OffsetPlace.EARLIEST)
    ends = _at(admin, wanted, OffsetPlace.LATEST)
    found = {}
    for part, offset in wanted.items():
        found[part] = offset
        if offset >= ends[part]:
            found[part] = ends[part]
            _remark(offset, "higher than latest", ends[part], world)
        elif offset <= starts[part]:
            found[part] = starts[part]
            _remark(offset, "lower than earliest", starts[part], world)
    return found


def _remark(offset: int, which: str, kept: int, world: World) -> None:
    print(f"New offset ({offset}) is {which} offset. Value will be set to {kept}", file=world.out)


def _at_time(
    admin: Admin, parts: Sequence[TopicPartition], moment_ms: int, world: World
) -> Offsets:
    found = admin.list_offsets(dict.fromkeys(parts, moment_ms)).all()
    later = {part: view.offset for part, view in found.items() if view.offset is not None}
    ended = [part for part in parts if part not in later]
    for topic, number in ended:
        print(
            f"Partition {number} from topic {topic} is empty, without a committed record. Falling "
            "back to latest known offset.",
            file=world.out,
        )
    return {**later, **_at(admin, ended, OffsetPlace.LATEST)}


def _at(admin: Admin, parts: Iterable[TopicPartition], place: OffsetPlace) -> Offsets:
    wanted = dict.fromkeys(parts, place)
    found = admin.list_offsets(wanted).all() if wanted else {}
    return {part: view.offset or 0 for part, view in found.items()}


def _delete(given: Given, admin: Admin, topics: Sequence[str], world: World) -> None:
    application = given.text("application-id") or ""
    others = {*_listed(given, "input-topics"), *_listed(given, "intermediate-topics")}
    inferred = [name for name in topics if is_internal(name, application) and name not in others]
    named = _listed(given, "internal-topics")
    if not set(named) <= set(inferred):
        raise MoldauError(
            "java.lang.IllegalArgumentException: Invalid topic specified in the --internal-topics "
            "option. Ensure that the topics specified are all internal topics. Do a dry run "
            "without the --internal-topics option to see the list of all internal topics that can "
            "be deleted."
        )
    chosen, how = (named, "specified") if named else (inferred, "inferred")
    print(f"Deleting {how} internal topics [{', '.join(chosen)}]", file=world.out)
    if chosen and not given.has(DRY_RUN.name):
        admin.delete_topics(chosen).all()
    print("Done.", file=world.out)


def is_internal(topic: str, application: str) -> bool:
    """Whether Kafka Streams made it for this application."""
    return topic.startswith(f"{application}-") and INTERNAL.fullmatch(topic) is not None
