"""`moldau delete-records`: what is below an offset of each partition is deleted."""

from __future__ import annotations

from moldau.client import TopicPartition
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, DRY_RUN, admin_of
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.programs.tools.kafka.json_files import (
    field_of,
    long_in,
    number_in,
    object_of,
    read_json,
    rows_in,
    version_in,
)
from moldau.programs.tools.kafka.tool import ToolFailedError

__all__ = ["FLAGS", "run"]

HEADS = ("TOPIC", "PARTITION", "LOW-WATERMARK", "ERROR")
NEWEST_VERSION = 1
TO_THE_END = -1
"""The offset that stands for the high watermark."""

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag(
        "offset-json-file",
        'Offsets by partition: {"partitions": [{"topic": "orders", "partition": 0, "offset": 7}], '
        '"version": 1}. Offset -1 is the end.',
        Takes.TEXT,
        "FILE",
    ),
    DRY_RUN,
)


def run(given: Given, world: World) -> int:
    given.need("bootstrap-server", "offset-json-file")
    path = given.text("offset-json-file") or ""
    wanted = _wanted(read_json(world.files, path))
    if given.has(DRY_RUN.name):
        for part, offset in wanted.items():
            end = "the end" if offset is None else f"offset {offset}"
            print(f"DRY RUN of deleting what is below {end} of {part}", file=world.out)
        return 0
    with admin_of(given, world) as admin:
        if world.rows is None:
            print("Executing records delete operation", file=world.out)
        outcomes = admin.delete_records(wanted)
    rows = [
        (part.topic, part.partition, outcomes.values.get(part), _problem(outcomes.errors.get(part)))
        for part in wanted
    ]
    if world.takes(HEADS, rows):
        return 0
    print("Records delete operation completed:", file=world.out)
    for part in wanted:
        if part in outcomes.errors:
            shown = f"error: {java_cause_of(outcomes.errors[part])}"
        else:
            shown = f"low_watermark: {outcomes[part]}"
        print(f"partition: {part}\t{shown}", file=world.out)
    return 0


def _problem(error: MoldauError | None) -> str | None:
    return None if error is None else java_cause_of(error)


def _wanted(found: object) -> dict[TopicPartition, int | None]:
    given = object_of(found)
    version_in(given, NEWEST_VERSION)
    if "partitions" not in given:
        raise ToolFailedError("Missing partitions field")
    wanted: dict[TopicPartition, int | None] = {}
    twice = []
    for row in rows_in(given, "partitions"):
        part = TopicPartition(field_of(row, "topic", str), number_in(row, "partition"))
        offset = long_in(row, "offset")
        if part in wanted:
            twice.append(str(part))
        wanted[part] = None if offset == TO_THE_END else offset
    if twice:
        raise ToolFailedError(
            f"Offset json file contains duplicate topic partitions: {','.join(twice)}"
        )
    return wanted
