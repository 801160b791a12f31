"""Keys and values of the topic `_schemas`, byte by byte as Confluent's registry writes them.

The order of the fields matters in keys: compaction compares them as bytes.
"""

from __future__ import annotations

import json
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from moldau.programs.http.json_bodies import json_bytes
from moldau.schemas.model import JsonObject, SchemaText, guid_of, guid_text

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
    "without_setting",
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


def _schema_key(subject: str, version: int) -> JsonObject:
    return {"keytype": SCHEMA, "subject": subject, "version": version, "magic": 1}


def schema_record(stored: StoredSchema) -> StoreRecord:
    value: JsonObject = {
        "subject": stored.subject,
        "version": stored.version,
        "id": stored.id,
        **_own_guid(stored),
        **stored.schema.as_json(),
        "deleted": stored.is_deleted,
    }
    return StoreRecord(_schema_key(stored.subject, stored.version), value)


def _own_guid(stored: StoredSchema) -> JsonObject:
    """Nothing where it follows from the schema; otherwise as Confluent's registry has it."""
    if stored.guid == _guid_of_stored(stored.schema, stored.schema.as_json()):
        return {}
    digits = stored.guid.replace("-", "")
    return {"md5": b2a_base64(bytes.fromhex(digits), newline=False).decode()}


def _guid_in(value: JsonObject) -> str | None:
    """The one that is beside a schema: ours stood there as text for a while."""
    if value.get("guid"):
        return str(value["guid"])
    if not value.get("md5"):
        return None
    return guid_text(a2b_base64(str(value["md5"])))


def _guid_of_stored(schema: SchemaText, value: JsonObject) -> str:
    has_metadata, has_rules = (value.get(name) is not None for name in ("metadata", "ruleSet"))
    return guid_of(schema, has_metadata=has_metadata, has_rules=has_rules)


def tombstone(subject: str, version: int) -> StoreRecord:
    return StoreRecord(_schema_key(subject, version), None)


def config_record(subject: str | None, value: Mapping[str, Any]) -> StoreRecord:
    key = _setting_key(CONFIG, subject)
    return StoreRecord(key, {**_named(subject), **value})


def _setting_key(keytype: str, subject: str | None) -> JsonObject:
    return {"keytype": keytype, **_named(subject), "magic": 0}


def _named(subject: str | None) -> JsonObject:
    """Of all subjects none: Confluent's registry leaves out what is null, as of 2026."""
    return {} if subject is None else {"subject": subject}


def without_setting(keytype: str, subject: str | None) -> list[StoreRecord]:
    """What ends a setting; of all subjects also where it was written with a null in its key.

    Karapace does so, and ours and Confluent's did: compaction would bring that one back.
    """
    gone = [StoreRecord(_setting_key(keytype, subject), None)]
    if subject is None:
        gone.append(StoreRecord({"keytype": keytype, "subject": None, "magic": 0}, None))
    return gone


def mode_record(subject: str | None, mode: str) -> StoreRecord:
    key = _setting_key(MODE, subject)
    return StoreRecord(key, {**_named(subject), "mode": mode})


def delete_subject_record(subject: str, version: int) -> StoreRecord:
    """All versions up to this one are softly deleted."""
    key = {"keytype": DELETE_SUBJECT, "subject": subject, "magic": 0}
    return StoreRecord(key, {"subject": subject, "version": version})


def clear_subject_record(subject: str | None) -> StoreRecord:
    """None of its versions is there any more, and none comes back."""
    return StoreRecord(_setting_key(CLEAR_SUBJECT, subject), _named(subject))


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
        _guid_in(value) or _guid_of_stored(schema, value),
        schema,
        bool(value.get("deleted")),
    )
