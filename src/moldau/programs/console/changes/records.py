"""Sending a record, and deleting those below an offset, or all."""

from __future__ import annotations

import json
import shlex
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from moldau.client import TopicPartition
from moldau.client.admin import OffsetPlace
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line, with_file
from moldau.programs.console.changes.sent_data import given_data, given_header
from moldau.programs.console.reach import Reach
from moldau.programs.rest.bodies import field_of, maybe_field, objects_of
from moldau.programs.rest.refusals import bad_request

__all__ = ["END", "RECORD_KINDS", "delete_command"]

Header: TypeAlias = tuple[str, bytes | None]
FILE: Final = "offsets.json"
RECORD_FILE: Final = "record.json"
LINE_LETTERS_MAX: Final = 8_000
"""Longer than this, a line is neither read by a person nor kept in the list of changes."""
SHOWN: Final = 200
END: Final = -1
"""In the file of delete-records: all records that are there."""


async def _produce(reach: Reach, given: Given) -> Change:
    view = await reach.topic(field_of(given, "topic", str))
    key = await given_data(reach, given, "key")
    value = await given_data(reach, given, "value")
    partition = maybe_field(given, "partition", int)
    if partition is not None and not 0 <= partition < len(view.partitions):
        raise bad_request(f"{view.name} has the partitions 0 to {len(view.partitions) - 1}")
    headers = [given_header(one) for one in objects_of(given, "headers", may_lack=True)]

    async def run() -> dict[str, int]:
        sent = await reach.clients.producer.send_and_wait(
            view.name, value, key=key, partition=partition, headers=headers
        )
        return {"partition": sent.partition, "offset": sent.offset}

    size = len(key or b"") + len(value or b"")
    return Change(
        _import_command(reach, view.name, partition, (key, value), headers),
        [Difference(f"records of {view.name}", None, f"one more, of {size} bytes")],
        run,
        warning="A record that was sent cannot be taken back.",
    )


async def _delete(reach: Reach, given: Given) -> Change:
    """All records that are below an offset, or all; of one partition, or of the topic."""
    view = await reach.topic(field_of(given, "topic", str))
    number, before = maybe_field(given, "partition", int), maybe_field(given, "before", int)
    parts = [
        TopicPartition(view.name, one.partition)
        for one in view.partitions
        if number in (None, one.partition)
    ]
    if not parts:
        raise bad_request(f"{view.name} has the partitions 0 to {len(view.partitions) - 1}")
    first = await reach.admin.list_offsets(dict.fromkeys(parts, OffsetPlace.EARLIEST))

    async def run() -> None:
        (await reach.admin.delete_records(dict.fromkeys(parts, before))).all()

    after = "the end" if before is None else str(before)
    return Change(
        delete_command(reach, parts, END if before is None else before),
        [Difference(f"first offset of {part}", str(first[part].offset), after) for part in parts],
        run,
        warning="Records below these offsets are deleted for good.",
    )


def delete_command(reach: Reach, parts: Iterable[TopicPartition], offset: int) -> str:
    content = [{**part._asdict(), "offset": offset} for part in parts]
    line = command_line(reach.settings, "delete-records", "--offset-json-file", FILE)
    return with_file(FILE, {"partitions": content, "version": 1}, line)


def _import_command(
    reach: Reach,
    topic: str,
    partition: int | None,
    record: tuple[bytes | None, bytes | None],
    headers: Sequence[Header],
) -> str:
    """A line as `moldau import` reads it: it can say all that a record has."""
    key, value = record
    fields = {
        **({} if partition is None else {"partition": partition}),
        **({} if key is None else {"key": _in_line(key)}),
        "value": _in_line(value),
        **({"headers": [[name, _in_line(one)] for name, one in headers]} if headers else {}),
    }
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    if len(text) > LINE_LETTERS_MAX:
        line = command_line(reach.settings, "import", "--topic", topic, RECORD_FILE)
        return f"# {RECORD_FILE} has the record in one line: {text[:SHOWN]}…\n{line}"
    line = command_line(reach.settings, "import", "--topic", topic, "-")
    return f"printf '%s\\n' {shlex.quote(text)} | {line}"


def _in_line(data: bytes | None) -> object:
    """Bytes that are no text stand in base64."""
    if data is None:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(data).decode()}


RECORD_KINDS: Final = (
    Kind(
        "produce",
        "Send a record",
        {
            "topic": "string",
            "partition": "integer?",
            "key": "string?",
            "key_format": "string?",
            "key_subject": "string?",
            "value": "string?",
            "value_format": "string?",
            "value_subject": "string?",
            "headers": "array?",
        },
        _produce,
    ),
    Kind(
        "delete-records",
        "Delete the records below an offset, or all; of one partition, or of all",
        {"topic": "string", "partition": "integer?", "before": "integer?"},
        _delete,
    ),
)
