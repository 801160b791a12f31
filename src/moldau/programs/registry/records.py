"""Keys and values of the topic `_schemas`, byte by byte as Confluent's registry writes them.

The order of the fields matters in keys: compaction compares them as bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from moldau.programs.http.json_bodies import json_bytes
from moldau.schemas.model import JsonObject, SchemaText, guid_of

__all__ = [
    "CLEAR_SUBJECT",
    "CONFIG",
    "CONTEXT",
    "DELETE_SUBJECT",
    "MODE",
    "SCHEMA",
    "TENANT",
    "StoreRecord",
    "StoredSchema",
    "clear_subject_record",
    "config_record",
    "context_record",
    "context_tombstone",
    "delete_subject_record",
    "mode_record",
    "read_json",
    "schema_record",
    "stored_schema",
    "tombstone",
]

SCHEMA: Final = "SCHEMA"
CONFIG: Final = "CONFIG"
MODE: Final = "MODE"
DELETE_SUBJECT: Final = "DELETE_SUBJECT"
CLEAR_SUBJECT: Final = "CLEAR_SUBJECT"
CONTEXT: Final = "CONTEXT"
TENANT: Final = "default"


class StoredSchema(NamedTuple):
    """One version of a subject."""

    subject: str
    version: int
    id: int
    guid: str
    schema: SchemaText
    is_deleted: bool = False
    """Softly: it is found by its id, and can no longer be written with."""

    @property
    def place(self) -> tuple[str, int]:
        return self.subject, self.version


class StoreRecord(NamedTuple):
    """One record of the topic; without a value the key is gone."""

    key: JsonObject
    value: JsonObject | None

    def encoded(self) -> tuple[bytes, bytes | None]:
        return json_bytes(self.key), None if self.value is None else json_bytes(self.value)


Maybe: TypeAlias = Mapping[str, Any] | None


def _schema_key(subject: str, version: int) -> JsonObject:
    return {"keytype": SCHEMA, "subject": subject, "version": version, "magic": 1}


def schema_record(stored: StoredSchema) -> StoreRecord:
    value: JsonObject = {
        "subject": stored.subject,
        "version": stored.version,
        "id": stored.id,
        "guid": stored.guid,
        **stored.schema.as_json(),
        "deleted": stored.is_deleted,
    }
    return StoreRecord(_schema_key(stored.subject, stored.version), value)


def tombstone(subject: str, version: int) -> StoreRecord:
    return StoreRecord(_schema_key(subject, version), None)


def config_record(subject: str | None, value: Maybe) -> StoreRecord:
    key = {"keytype": CONFIG, "subject": subject, "magic": 0}
    return StoreRecord(key, None if value is None else {"subject": subject, **value})


def mode_record(subject: str | None, mode: str | None) -> StoreRecord:
    key = {"keytype": MODE, "subject": subject, "magic": 0}
    return StoreRecord(key, None if mode is None else {"subject": subject, "mode": mode})


def delete_subject_record(subject: str, version: int) -> StoreRecord:
    """All versions up to this one are softly deleted."""
    key = {"keytype": DELETE_SUBJECT, "subject": subject, "magic": 0}
    return StoreRecord(key, {"subject": subject, "version": version})


def clear_subject_record(subject: str | None) -> StoreRecord:
    """None of its versions is there any more, and none comes back."""
    key = {"keytype": CLEAR_SUBJECT, "subject": subject, "magic": 0}
    return StoreRecord(key, {"subject": subject})


def _context_key(context: str) -> JsonObject:
    return {"keytype": CONTEXT, "tenant": TENANT, "context": context, "magic": 0}


def context_record(context: str) -> StoreRecord:
    """A context is known from its first schema on."""
    return StoreRecord(_context_key(context), {"tenant": TENANT, "context": context})


def context_tombstone(context: str) -> StoreRecord:
    return StoreRecord(_context_key(context), None)


def read_json(data: bytes | memoryview | None) -> JsonObject | None:
    """None for a tombstone, and for what another program left in the topic."""
    if not data:
        return None
    try:
        found = json.loads(bytes(data))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def stored_schema(value: JsonObject) -> StoredSchema:
    """The schema in a record's value; `KeyError`, `TypeError` or `ValueError` where it is none."""
    schema = SchemaText.of_json(value)
    return StoredSchema(
        str(value["subject"]),
        int(value["version"]),
        int(value["id"]),
        value.get("guid") or guid_of(schema),
        schema,
        bool(value.get("deleted")),
    )
