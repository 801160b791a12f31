"""What a new version is, and whether it may be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from moldau.programs.registry.lookups import need_subject, places_of_id
from moldau.programs.registry.names import context_of
from moldau.programs.registry.parsing import Parser
from moldau.programs.registry.records import StoredSchema, StoreRecord, schema_record
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.settings import IMPORT, config_of, ensure_writable, mode_of
from moldau.programs.registry.state import RegistryState
from moldau.schemas.kinds import language_of
from moldau.schemas.levels import Level, broken_rules
from moldau.schemas.model import SchemaText, guid_of

__all__ = ["Registrar", "Registration"]

FIRST: Final = 1


class Registration(NamedTuple):
    """What is asked for."""

    subject: str
    schema: SchemaText
    normalize: bool = False
    id: int | None = None
    version: int | None = None


class Registrar:
    """Decides about versions."""

    def __init__(self, state: RegistryState, parser: Parser, default: Level) -> None:
        self.state = state
        self.parser = parser
        self.default = default

    def understood(self, schema: SchemaText, subject: str, *, normalize: bool) -> SchemaText:
        """The schema with the text by which it is stored."""
        parsed = self.parser.parse(self.state, schema)
        config = config_of(self.state, subject, self.default)
        is_normal = normalize or bool(config.get("normalize"))
        text = parsed.normalized if is_normal else parsed.canonical
        return SchemaText(text, schema.kind, schema.references, schema.metadata, schema.rule_set)

    def find(
        self, subject: str, schema: SchemaText, *, normalize: bool, deleted: bool = False
    ) -> StoredSchema | None:
        """The version that has this very schema, the newest if there are several."""
        wanted = self.understood(schema, subject, normalize=normalize)
        given = schema if schema.text != wanted.text else wanted
        for stored in reversed(self.state.versions(subject, deleted=deleted)):
            if stored.schema.key in (wanted.key, given.key):
                return stored
            if _is_same_but_metadata(stored.schema, wanted):
                return stored
        return None

    def register(self, asked: Registration) -> tuple[StoredSchema, list[StoreRecord]]:
        """The version, and the records that make it; none where it is there already."""
        state, subject = self.state, asked.subject
        ensure_writable(state, subject)
        is_import = mode_of(state, subject) == IMPORT
        if asked.id is not None and asked.id >= 0 and not is_import:
            raise refuse(Refusal.NOT_PERMITTED, f"Subject {subject} is not in import mode")
        schema = self.understood(asked.schema, subject, normalize=asked.normalize)
        known = None if is_import and asked.version else self._same(asked, schema)
        if known is not None:
            return known, []
        if not is_import:
            self.ensure_fits(subject, schema)
        stored = self._next(asked, schema)
        return stored, [schema_record(stored)]

    def _same(self, asked: Registration, schema: SchemaText) -> StoredSchema | None:
        found = next(
            (
                one
                for one in reversed(self.state.versions(asked.subject))
                if one.schema.key in (schema.key, asked.schema.key)
                or _is_same_but_metadata(one.schema, schema)
            ),
            None,
        )
        return found if asked.id in (None, -1) or found is None or found.id == asked.id else None

    def ensure_fits(self, subject: str, schema: SchemaText) -> None:
        """409 with each rule that it breaks, and the version that it breaks it for."""
        found = self.conflicts(subject, schema, self.state.versions(subject))
        if found:
            raise refuse(
                Refusal.INCOMPATIBLE,
                "Schema being registered is incompatible with an earlier schema for subject "
                f'"{subject}", details: [{", ".join(found)}]',
            )

    def conflicts(
        self, subject: str, schema: SchemaText, earlier: Iterable[StoredSchema]
    ) -> list[str]:
        """Why it may not follow these, one text for each reason."""
        config = config_of(self.state, subject, self.default)
        level = Level(config["compatibilityLevel"])
        group = config.get("compatibilityGroup")
        compared = [
            one
            for one in earlier
            if not group or _property(one.schema, group) == _property(schema, group)
        ]
        if level is Level.NONE or not compared:
            return []
        if any(one.schema.kind != schema.kind for one in compared[-1:]):
            return [f"Incompatible because of different schema type: {schema.kind}"]
        compared = [one for one in compared if one.schema.kind == schema.kind]
        parsed = [self.parser.parse(self.state, one.schema) for one in compared]
        broken = broken_rules(
            language_of(schema.kind), level, self.parser.parse(self.state, schema), parsed
        )
        if broken is None:
            return []
        index, differences = broken
        old = compared[index]
        return [
            *map(str, differences),
            f"{{oldSchemaVersion: {old.version}}}",
            f"{{oldSchema: '{old.schema.text}'}}",
            f"{{compatibility: '{level}'}}",
        ]

    def _next(self, asked: Registration, schema: SchemaText) -> StoredSchema:
        state, subject = self.state, asked.subject
        last = max(state.subjects.get(subject, ()), default=FIRST - 1)
        number = self._id(asked, schema)
        version = asked.version if asked.version and asked.version > 0 else last + 1
        former = state.subjects.get(subject, {}).get(version)
        if former is not None and former.id != number:
            text = f"Version {version} of subject {subject} has another id: {former.id}"
            raise refuse(Refusal.NOT_PERMITTED, text)
        return StoredSchema(subject, version, number, guid_of(schema), schema)

    def _id(self, asked: Registration, schema: SchemaText) -> int:
        ids = self.state.contexts[context_of(asked.subject)]
        if asked.id is None or asked.id < 0:
            return ids.by_key.get(schema.key, ids.highest + 1)
        having = places_of_id(self.state, asked.id, asked.subject, deleted=True)
        if having and having[0].schema.text != schema.text:
            raise refuse(
                Refusal.NOT_PERMITTED,
                f"Overwrite new schema with id {asked.id} is not permitted.",
            )
        return asked.id

    def look_up(
        self, subject: str, schema: SchemaText, *, normalize: bool, deleted: bool
    ) -> StoredSchema:
        """40401 or 40403 where it is not there."""
        need_subject(self.state, subject, deleted=deleted)
        found = self.find(subject, schema, normalize=normalize, deleted=deleted)
        if found is None:
            raise refuse(Refusal.SCHEMA_NOT_FOUND, "Schema not found")
        return found


def _is_same_but_metadata(stored: SchemaText, given: SchemaText) -> bool:
    """A client that sends no metadata and no rules means the schema, whatever it has of them."""
    if given.metadata or given.rule_set:
        return False
    return (stored.kind, stored.text, stored.references) == (
        given.kind,
        given.text,
        given.references,
    )


def _property(schema: SchemaText, name: str) -> object:
    return ((schema.metadata or {}).get("properties") or {}).get(name)
