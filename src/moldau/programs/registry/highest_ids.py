"""How the topic keeps which ids have been given, when their schemas are deleted for good.

A tombstone is compacted away in the end, and with it the last trace of an id. So each record that
is appended has a header with the highest id of each context; and where the schema that has the
highest id is deleted for good, the level of compatibility of all subjects is written again, as it
is: that record stays.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from moldau.programs.registry.names import context_of
from moldau.programs.registry.records import SCHEMA, StoreRecord, config_record
from moldau.programs.registry.state import RegistryState
from moldau.schemas.levels import Level

__all__ = ["HEADER", "apply_header", "header_of", "with_reminder"]

HEADER: Final = "moldau.highest.ids"


def header_of(state: RegistryState, records: Iterable[StoreRecord]) -> tuple[str, bytes]:
    """Of records that are about to be appended."""
    highest = {context: ids.highest for context, ids in state.contexts.items()}
    for record in records:
        if record.key["keytype"] == SCHEMA and record.value is not None:
            context = context_of(record.value["subject"])
            highest[context] = max(highest.get(context, 0), record.value["id"])
    return HEADER, json.dumps(highest, sort_keys=True).encode()


def with_reminder(
    state: RegistryState, records: Sequence[StoreRecord], default: Level
) -> list[StoreRecord]:
    if not any(_ends_highest(state, record) for record in records):
        return list(records)
    value = state.configs.get(None, {"compatibilityLevel": default.value})
    return [*records, config_record(None, value)]


def _ends_highest(state: RegistryState, record: StoreRecord) -> bool:
    if record.key["keytype"] != SCHEMA or record.value is not None:
        return False
    subject, version = record.key["subject"], record.key["version"]
    stored = state.subjects.get(subject, {}).get(version)
    return stored is not None and stored.id == state.contexts[context_of(subject)].highest


def apply_header(state: RegistryState, headers: Iterable[tuple[str, bytes | None]]) -> None:
    for name, value in headers:
        if name != HEADER or not value:
            continue
        try:
            found = json.loads(value)
        except ValueError:
            continue
        for context, highest in found.items() if isinstance(found, dict) else ():
            if isinstance(highest, int):
                state.raise_highest(context, highest)
