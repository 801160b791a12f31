"""What a new version is, and whether it may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from moldau.programs.registry.associations.records import STRONG
from moldau.programs.registry.inheriting import (
    inherited,
    reserved_fields,
    versioned,
    without_version,
)
from moldau.programs.registry.lookups import need_subject, places_of_id
from moldau.programs.registry.names import DEFAULT_CONTEXT, context_of, referenced
from moldau.programs.registry.parsing import Parser
from moldau.programs.registry.records import (
    StoredSchema,
    StoreRecord,
    context_record,
    schema_record,
    tombstone,
)
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.rule_expressions import ensure_expressions
from moldau.programs.registry.rule_sets import ensure_rules
from moldau.programs.registry.settings import (
    LENIENT,
    LEVEL,
    POLICY,
    config_of,
    ensure_writable,
    imports,
    mode_of,
)
from moldau.programs.registry.state import RegistryState
from moldau.programs.registry.tagging import with_tags_of
from moldau.schemas.kinds import language_of
from moldau.schemas.levels import Level, broken_rules
from moldau.schemas.model import SchemaText, guid_of
from moldau.schemas.parsed import ParsedSchema

__all__ = ["Registrar", "Registration"]

FIRST: Final = 1
JSON_SCHEMA: Final = "JSON"
NOTHING_BESIDE: Final[Mapping[tuple[str, ...], int]] = {}


class Registration(NamedTuple):
    """A request to register a schema."""

    subject: str
    schema: SchemaText
    normalize: bool = False
    id: int | None = None
    version: int | None = None
    """Of an import any; otherwise the next one, or -1 for it."""
    force: bool = False
    """Whatever it breaks."""
    keeps_tags: bool = False
    """Its records and fields have the tags that they had in the version before it, too."""
    beside: Mapping[tuple[str, ...], int] = NOTHING_BESIDE
    """Ids of other schemas that the same write registers in its context."""


class Registrar:
    """Decides which version a schema becomes, by compatibility and mode."""

    def __init__(self, state: RegistryState, parser: Parser, default: Level) -> None:
        self.state = state
        self.parser = parser
        self.default = default

    def understood(
        self, schema: SchemaText, subject: str, *, normalize: bool, as_new: bool = False
    ) -> SchemaText:
        """The schema with the text by which it is stored.

        What is new is checked as its subject's settings have it.
        """
        config = config_of(self.state, subject, self.default)
        checks = as_new and config.get("validateNewSchemas") is not False
        parsed = self.parser.parse(self.state, schema, subject, as_new=checks)
        if as_new and config.get("validateFields"):
            _ensure_names(schema, parsed)
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
        is_import = imports(mode_of(state, subject))
        if _has_id(asked) != is_import:
            mode = "read-write" if is_import else "import"
            raise refuse(Refusal.NOT_PERMITTED, f"Subject {subject} is not in {mode} mode")
        ensure_rules(asked.schema.rule_set)
        if not is_import:
            asked = asked._replace(schema=self._inherited(asked))
            if config_of(state, subject, self.default).get("validateRules"):
                ensure_expressions(asked.schema.rule_set)
        if not asked.schema.text.strip():
            raise refuse(Refusal.INVALID_SCHEMA, "Empty schema")
        self._ensure_shared(asked)
        as_new = not is_import
        schema = self.understood(asked.schema, subject, normalize=asked.normalize, as_new=as_new)
        known = None if asked.version else self._same(asked, schema)
        if known is not None:
            return known, []
        if not is_import and not asked.force:
            self.ensure_fits(subject, schema)
        stored = self._next(asked, schema, is_import=is_import)
        return stored, [*self._before(stored), schema_record(stored)]

    def _inherited(self, asked: Registration) -> SchemaText:
        """With what it takes over, for the version that it would be."""
        config = config_of(self.state, asked.subject, self.default)
        versions = self.state.versions(asked.subject)
        former = versions[-1].schema if versions else None
        schema = inherited(asked.schema, former, config)
        if asked.keeps_tags and former is not None:
            schema = with_tags_of(schema, former)
        return versioned(schema, self._last(asked.subject) + 1, is_wanted=bool(asked.version))

    def _ensure_shared(self, asked: Registration) -> None:
        """A subject that is a topic's own is no part of other schemas."""
        for reference in asked.schema.references:
            target = referenced(asked.subject, reference.subject)
            if any(one.lifecycle == STRONG for one in self.state.associations.of_subject(target)):
                text = "has a strong association and cannot be referenced"
                raise refuse(Refusal.NOT_PERMITTED, f"Subject '{reference.subject}' {text}")

    def _before(self, stored: StoredSchema) -> list[StoreRecord]:
        """What is to stand before it: its context, and that softly deleted versions come back."""
        found = []
        context = context_of(stored.subject)
        if context not in (DEFAULT_CONTEXT, *self.state.named_contexts):
            found.append(context_record(context))
        for former in self.state.versions(stored.subject, deleted=True):
            is_same = former.is_deleted and former.id == stored.id
            if is_same and former.version < stored.version and not self._is_referred_to(former):
                found.append(tombstone(*former.place))
        return found

    def _is_referred_to(self, stored: StoredSchema) -> bool:
        return bool(self.state.referrers.get(stored.place))

    def _same(self, asked: Registration, schema: SchemaText) -> StoredSchema | None:
        wanted = {without_version(one).key for one in (schema, asked.schema)}
        found = next(
            (
                one
                for one in reversed(self.state.versions(asked.subject))
                if without_version(one.schema).key in wanted
            ),
            None,
        )
        return found if found is None or not _has_id(asked) or found.id == asked.id else None

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
        earlier = list(earlier)
        validates = bool(config.get("validateFields"))
        taken = self._taken_fields(schema, subject, earlier) if validates else []
        found = [*taken, *self._broken(schema, subject, earlier, config)]
        if not found:
            return []
        shown = f"validateFields: '{str(validates).lower()}', compatibility: '{config[LEVEL]}'"
        return [*found, f"{{{shown}}}"]

    def _taken_fields(
        self, schema: SchemaText, subject: str, earlier: Sequence[StoredSchema]
    ) -> list[str]:
        """Names that are reserved stay so, and no field has one."""
        reserved = reserved_fields(schema)
        before = reserved_fields(earlier[-1].schema) if earlier else frozenset()
        names = self.parser.parse(self.state, schema, subject).field_names
        return [
            *(
                f"The new schema has reserved field {name} removed from its metadata "
                "which is present in the old schema's metadata."
                for name in sorted(before - reserved)
            ),
            *(
                f"The new schema has field that conflicts with the reserved field {name}."
                for name in sorted(reserved & names)
            ),
        ]

    def _broken(
        self,
        schema: SchemaText,
        subject: str,
        earlier: Sequence[StoredSchema],
        config: Mapping[str, Any],
    ) -> list[str]:
        level = Level(config[LEVEL])
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
        parsed = [self.parser.parse(self.state, one.schema, one.subject) for one in compared]
        broken = broken_rules(
            language_of(schema.kind),
            level,
            self.parser.parse(self.state, schema, subject),
            parsed,
            lenient=config.get(POLICY) == LENIENT,
        )
        if broken is None:
            return []
        index, differences = broken
        old = compared[index]
        return [
            *map(str, differences),
            f"{{oldSchemaVersion: {old.version}}}",
            f"{{oldSchema: '{old.schema.text}'}}",
        ]

    def _last(self, subject: str) -> int:
        """The newest version, also where it is deleted softly."""
        return max(self.state.subjects.get(subject, ()), default=FIRST - 1)

    def _next(self, asked: Registration, schema: SchemaText, *, is_import: bool) -> StoredSchema:
        state, subject = self.state, asked.subject
        following = self._last(subject) + 1
        version = asked.version if asked.version and asked.version > 0 else following
        if version != following and not is_import:
            text = f"Version is not one more than previous version: it would be {following}"
            raise refuse(Refusal.INVALID_SCHEMA, text)
        number = self._id(asked, schema)
        former = state.subjects.get(subject, {}).get(version)
        if former is not None and former.id != number:
            text = f"Version {version} of subject {subject} has another id: {former.id}"
            raise refuse(Refusal.NOT_PERMITTED, text)
        return StoredSchema(subject, version, number, guid_of(schema), schema)

    def _id(self, asked: Registration, schema: SchemaText) -> int:
        ids = self.state.contexts[context_of(asked.subject)]
        if asked.id is None or asked.id < 0:
            following = max((ids.highest, *asked.beside.values())) + 1
            return ids.by_key.get(schema.key, asked.beside.get(schema.key, following))
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
            config = config_of(self.state, subject, self.default)
            versions = self.state.versions(subject)
            whole = inherited(schema, versions[-1].schema if versions else None, config)
            found = self.find(subject, whole, normalize=normalize, deleted=deleted)
        if found is None:
            raise refuse(Refusal.SCHEMA_NOT_FOUND, "Schema not found")
        return found


def _ensure_names(schema: SchemaText, parsed: ParsedSchema) -> None:
    """`$$` begins names that Confluent's own tools give to properties of JSON Schema."""
    if schema.kind == JSON_SCHEMA and any(name.startswith("$$") for name in parsed.field_names):
        text = "Invalid schema: Field names cannot start with $$ prefix"
        raise refuse(Refusal.INVALID_SCHEMA, text)


def _has_id(asked: Registration) -> bool:
    return asked.id is not None and asked.id >= 0


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
