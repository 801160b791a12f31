"""All that the topic holds, in memory; changed only by applying its records.

Texts are held once for each id, whatever number of subjects has them.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from moldau.programs.registry.associations.records import ASSOC
from moldau.programs.registry.associations.table import Associations
from moldau.programs.registry.names import context_of, referenced
from moldau.programs.registry.records import (
    StoredSchema,
    stored_schema,
)
from moldau.schemas.model import JsonObject

__all__ = ["Ids", "RegistryState"]

log = logging.getLogger(__name__)

Place = tuple[str, int]
MALFORMED: Final = (KeyError, TypeError, ValueError)


class Ids:
    """The ids of one context."""

    def __init__(self) -> None:
        self.places: dict[int, dict[Place, None]] = {}
        """The versions that have an id."""
        self.by_key: dict[tuple[str, ...], int] = {}
        self.highest = 0
        """Also of ids whose schemas are gone: none is given twice."""


class RegistryState:
    """See the head of the file."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """As before the first record."""
        self.subjects: dict[str, dict[int, StoredSchema]] = {}
        self.contexts: dict[str, Ids] = defaultdict(Ids)
        self.by_guid: dict[str, Place] = {}
        self.referrers: dict[Place, dict[Place, None]] = {}
        self.configs: dict[str | None, JsonObject] = {}
        self.modes: dict[str | None, str] = {}
        self.named_contexts: dict[str, JsonObject] = {}
        """Those that have a record of their own, as all have that a registry wrote into."""
        self.associations = Associations()

    def __repr__(self) -> str:
        return f"RegistryState({len(self.subjects)} subjects)"

    def apply(self, key: JsonObject, value: JsonObject | None, timestamp_ms: int = 0) -> None:
        """One record of the topic; what is no record of a registry changes nothing."""
        try:
            if key.get("keytype") == ASSOC:
                self.associations.apply(key, value, timestamp_ms)
            else:
                self._apply(key, value)
        except MALFORMED as error:
            log.warning("A record of the topic is passed over: %r: %r", key, error)

    def _apply(self, key: JsonObject, value: JsonObject | None) -> None:
        subject = key.get("subject")
        match key.get("keytype"):
            case "SCHEMA":
                self._apply_schema(str(subject), int(key["version"]), value)
            case "CONFIG":
                _set(self.configs, subject, value and _without_subject(value))
            case "MODE":
                _set(self.modes, subject, value and str(value["mode"]))
            case "DELETE_SUBJECT" if value is not None:
                self._delete_softly(str(subject), int(value["version"]))
            case "CLEAR_SUBJECT" if subject is not None:
                for version in list(self.subjects.get(str(subject), ())):
                    self._forget(str(subject), version)
            case "CONTEXT":
                _set(self.named_contexts, str(key["context"]), value)
            case _:
                pass  # NOOP, and what registries to come may add

    def _apply_schema(self, subject: str, version: int, value: JsonObject | None) -> None:
        if value is None:
            self._forget(subject, version)
        else:
            self._keep(stored_schema(value))

    def raise_highest(self, context: str, highest: int) -> None:
        """Ids up to this one have been given."""
        ids = self.contexts[context]
        ids.highest = max(ids.highest, highest)

    def versions(self, subject: str, *, deleted: bool = False) -> list[StoredSchema]:
        """Oldest first."""
        found = self.subjects.get(subject, {})
        return [
            found[number] for number in sorted(found) if deleted or not found[number].is_deleted
        ]

    def all_schemas(self) -> Iterator[StoredSchema]:
        for subject in sorted(self.subjects):
            yield from self.versions(subject, deleted=True)

    def _keep(self, stored: StoredSchema) -> None:
        former = self.subjects.get(stored.subject, {}).get(stored.version)
        if former is not None:
            self._forget(*former.place)
        self.subjects.setdefault(stored.subject, {})[stored.version] = stored
        ids = self.contexts[context_of(stored.subject)]
        ids.places.setdefault(stored.id, {})[stored.place] = None
        ids.by_key.setdefault(stored.schema.key, stored.id)
        ids.highest = max(ids.highest, stored.id)
        self.by_guid.setdefault(stored.guid, stored.place)
        for place in _referred_to(stored):
            self.referrers.setdefault(place, {})[stored.place] = None

    def _forget(self, subject: str, version: int) -> None:
        stored = self.subjects.get(subject, {}).pop(version, None)
        if stored is None:
            return
        if not self.subjects[subject]:
            del self.subjects[subject]
        for place in _referred_to(stored):
            self.referrers.get(place, {}).pop(stored.place, None)
        ids = self.contexts[context_of(subject)]
        places = ids.places.get(stored.id, {})
        places.pop(stored.place, None)
        if not places:
            ids.places.pop(stored.id, None)
            if ids.by_key.get(stored.schema.key) == stored.id:
                del ids.by_key[stored.schema.key]
        self._forget_guid(stored, places)

    def _forget_guid(self, stored: StoredSchema, others: dict[Place, None]) -> None:
        if self.by_guid.get(stored.guid) != stored.place:
            return
        del self.by_guid[stored.guid]
        for subject, version in others:
            if self.subjects[subject][version].guid == stored.guid:
                self.by_guid[stored.guid] = subject, version
                return

    def _delete_softly(self, subject: str, up_to: int) -> None:
        found = self.subjects.get(subject, {})
        for version, stored in found.items():
            if version <= up_to:
                found[version] = stored._replace(is_deleted=True)


def _referred_to(stored: StoredSchema) -> list[Place]:
    return [
        (referenced(stored.subject, one.subject), one.version) for one in stored.schema.references
    ]


def _without_subject(value: JsonObject) -> JsonObject:
    return {name: item for name, item in value.items() if name != "subject"}


def _set(table: dict[Any, Any], name: str | None, value: object) -> None:
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value
