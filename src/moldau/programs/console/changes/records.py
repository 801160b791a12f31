"""Sending a record, and deleting those below an offset, or all."""

from __future__ import annotations

import json
import shlex
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterable
from typing import Final

from moldau.client import TopicPartition
from moldau.client.admin import OffsetPlace
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line, with_file
from moldau.programs.console.reach import Reach
from moldau.programs.rest.bodies import field_of, maybe_field, objects_of
from moldau.programs.rest.refusals import bad_request

__all__ = ["END", "RECORD_KINDS", "delete_command"]

FORMATS: Final = ("text", "json", "hex", "base64")
FILE: Final = "offsets.json"
SHOWN: Final = 200
END: Final = -1
"""In the file of delete-records: all records that are there."""


async def _produce(reach: Reach, given: Given) -> Change:
    view = await reach.topic(field_of(given, "topic", str))
    key, value = _data(given, "key"), _data(given, "value")
    partition = maybe_field(given, "partition", int)
    if partition is not None and not 0 <= partition < len(view.partitions):
        raise bad_request(f"{view.name} has the partitions 0 to {len(view.partitions) - 1}")
    headers = [_header(one) for one in objects_of(given, "headers", may_lack=True)]

    async def run() -> dict[str, int]:
        sent = await reach.clients.producer.send_and_wait(
            view.name, value, key=key, partition=partition, headers=headers
        )
        return {"partition": sent.partition, "offset": sent.offset}

    size = len(key or b"") + len(value or b"")
    return Change(
        _producer_command(reach, view.name, key, value),
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


def _data(given: Given, name: str) -> bytes | None:
    """In the format that is named with it; text unless one is."""
    text = maybe_field(given, name, str)
    kind = maybe_field(given, f"{name}_format", str) or "text"
    if kind not in FORMATS:
        raise bad_request(f"{name}_format is one of {', '.join(FORMATS)}")
    if text is None:
        return None
    try:
        if kind == "hex":
            return bytes.fromhex(text)
        if kind == "base64":
            return b64decode(text, validate=True)
        if kind == "json":
            return json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False).encode()
        return text.encode()
    except (ValueError, Base64Error, RecursionError) as error:
        raise bad_request(f"the {name} is not {kind}: {error}") from None


def _header(given: Given) -> tuple[str, bytes]:
    return field_of(given, "name", str), (maybe_field(given, "value", str) or "").encode()


def _producer_command(reach: Reach, topic: str, key: bytes | None, value: bytes | None) -> str:
    """What a shell would pipe; bytes that are no text are shown as such."""
    words: list[object] = ["--topic", topic]
    text = (value or b"").decode(errors="backslashreplace")
    if key is not None:
        words += ["--reader-property", "parse.key=true"]
        text = f"{key.decode(errors='backslashreplace')}\t{text}"
    shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    line = command_line(reach.settings, "console-producer", *words)
    return f"printf '%s\\n' {shlex.quote(shown)} | {line}"


RECORD_KINDS: Final = (
    Kind(
        "produce",
        "Send a record",
        {
            "topic": "string",
            "partition": "integer?",
            "key": "string?",
            "key_format": "string?",
            "value": "string?",
            "value_format": "string?",
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
