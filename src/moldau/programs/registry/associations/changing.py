"""Which records make the associations of a resource what is asked for, or delete them.

All of a request is looked at before anything of it is written, and its schemas are written with
its associations, as one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from moldau.programs.registry.associations.asked import (
    Asked,
    Change,
    default_subject,
    invalid,
    unlike,
    with_defaults,
)
from moldau.programs.registry.associations.records import (
    STRONG,
    WEAK,
    Association,
    Resource,
    association_record,
    association_tombstone,
)
from moldau.programs.registry.associations.table import fitting
from moldau.programs.registry.deleting import delete_owned_subject
from moldau.programs.registry.lookups import resolved
from moldau.programs.registry.names import context_of, in_context
from moldau.programs.registry.records import StoredSchema, StoreRecord
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.registering import Registrar, Registration
from moldau.programs.registry.settings import ensure_writable, mode_of
from moldau.programs.registry.state import RegistryState
from moldau.programs.registry.tagging import KEEPS_TAGS
from moldau.schemas.model import SchemaText

__all__ = ["Changed", "Changer", "deleted"]

IMPORT: Final = "IMPORT"
SchemaOf: TypeAlias = Callable[[Mapping[str, Any]], SchemaText]
Changed: TypeAlias = tuple[list[tuple[Association, StoredSchema | None]], list[StoreRecord]]
"""What was written, with the schema that was registered with it, and the records."""


class Changer:
    """Decides about the associations of one request."""

    def __init__(
        self, registrar: Registrar, schema_of: SchemaOf, new_guid: Callable[[], str]
    ) -> None:
        """`schema_of` reads what stands for a schema in a request."""
        self._registrar = registrar
        self._state: RegistryState = registrar.state
        self._schema_of = schema_of
        self._new_guid = new_guid

    def change(self, change: Change, context: str) -> Changed:
        """`context` is that of subjects which name none."""
        named = replace(change, asked=tuple(self._named(one, context) for one in change.asked))
        known = self._known(named)
        asked = [self._settled(named, one, known.get(one.kind)) for one in named.asked]
        self._ensure_uniform(named.resource, asked)
        for one in asked:
            self._ensure_free(one, known.get(one.kind), asked)
        schemas, records = self._registered(asked)
        written: list[tuple[Association, StoredSchema | None]] = []
        for one in asked:
            former = known.get(one.kind)
            if former is None or not _is_like(former, one):
                made = self._made(named.resource, one, former)
                written.append((made, schemas.get(one.kind)))
                records.append(association_record(made))
        return written, records

    def _named(self, one: Asked, context: str) -> Asked:
        if one.subject is None:
            return one
        subject = resolved(self._state, in_context(context, one.subject))
        ensure_writable(self._state, subject)
        return replace(one, subject=subject)

    def _known(self, change: Change) -> dict[str, Association]:
        """Those that are there; before a topic has an id, those of the last one of its name."""
        resource, table = change.resource, self._state.associations
        found = table.of_resource(resource.id, resource.type)
        if not found and change.is_new and not resource.id:
            found = self._newest(resource)
        return {one.kind: one for one in found}

    def _newest(self, resource: Resource) -> list[Association]:
        found = self._state.associations.named(resource.name, resource.namespace, resource.type)
        newest = max(
            ((one.updated_ms, one.created_ms, one.resource.id) for one in found),
            default=(0, 0, ""),
        )
        return [one for one in found if one.resource.id == newest[-1]]

    def _settled(self, change: Change, one: Asked, former: Association | None) -> Asked:
        """With all that is left to be known."""
        if former is None and not change.is_new:
            one = with_defaults(one, is_new=False)
        default = default_subject(change.resource, one.kind)
        one = _with_subject(one, former, default)
        _check(one, former, default)
        if former is None:
            self._ensure_new(change, one)
        elif _is_like(former, one):
            self._ensure_same_schema(change, one, former)
        else:
            _ensure_may_change(change, one, former, default)
        return one

    def _imports(self, subject: str) -> bool:
        return mode_of(self._state, subject) == IMPORT

    def _ensure_new(self, change: Change, one: Asked) -> None:
        subject = _subject_of(one)
        if one.lifecycle != STRONG or self._imports(subject):
            return
        if not change.is_new:
            raise invalid(
                "lifecycle",
                "cannot be STRONG when creating an association; "
                "STRONG associations must be created with the topic",
            )
        if one.schema is None:
            raise invalid("schema", "schema must be provided when creating a frozen association")
        versions = self._state.versions(subject)
        if versions and (versions[-1].version != 1 or not self._has(one)):
            raise invalid(
                "frozen",
                "cannot create a frozen association when schemas already exist in the subject",
            )

    def _ensure_same_schema(self, change: Change, one: Asked, former: Association) -> None:
        """It is there already, which is no error where it was made by the same request."""
        if change.is_new and one.schema is not None and not self._has(one):
            raise _exists(former)

    def _has(self, one: Asked) -> bool:
        assert one.schema is not None
        schema = self._schema_of(one.schema)
        found = self._registrar.find(_subject_of(one), schema, normalize=one.normalize)
        return found is not None

    def _ensure_uniform(self, resource: Resource, asked: Collection[Asked]) -> None:
        table = self._state.associations
        found = table.of_resource(resource.id, resource.type)
        found = found if resource.id else self._newest(resource)
        lifecycles = {one.kind: one.lifecycle for one in found}
        lifecycles |= {one.kind: one.lifecycle for one in asked if one.lifecycle is not None}
        if len(set(lifecycles.values())) > 1:
            shown = ", ".join(f"{kind}={lifecycle}" for kind, lifecycle in lifecycles.items())
            text = "all associations for a resource must have the same lifecycle, but got "
            raise invalid("lifecycle", text + shown)

    def _ensure_free(
        self, one: Asked, former: Association | None, asked: Collection[Asked]
    ) -> None:
        """The subject has a schema, and no other resource has it for its own."""
        subject, state = _subject_of(one), self._state
        if one.schema is not None and self._imports(subject):
            text = f"cannot be provided while subject '{subject}' is in IMPORT mode"
            raise invalid("schema", text)
        if one.schema is None and not state.versions(subject):
            text = f"No active (non-deleted) version exists for subject '{subject}'"
            raise refuse(Refusal.NO_ACTIVE_VERSION, text)
        others = [
            other
            for other in state.associations.of_subject(subject)
            if former is None or other.place != former.place
        ]
        if (one.lifecycle or (former and former.lifecycle)) == STRONG:
            if others:
                text = f"An association already exists for subject '{subject}'"
                raise refuse(Refusal.SUBJECT_HAS_ASSOCIATION, text)
            self._ensure_unreferenced(subject, asked)
        elif any(other.lifecycle == STRONG for other in others):
            text = f"A strong association already exists for subject '{subject}'"
            raise refuse(Refusal.SUBJECT_IS_OWNED, text)

    def _ensure_unreferenced(self, subject: str, asked: Collection[Asked]) -> None:
        """By what is stored, also where it is softly deleted, or by what comes with it."""
        places = [one.place for one in self._state.versions(subject, deleted=True)]
        is_stored = any(self._state.referrers.get(place) for place in places)
        if is_stored or subject in self._references(asked):
            text = f"One or more references exist to the schema {subject}."
            raise refuse(Refusal.REFERENCE_EXISTS, text)

    def _references(self, asked: Collection[Asked]) -> set[str]:
        return {
            in_context(context_of(_subject_of(one)), reference.subject)
            for one in asked
            if one.schema is not None
            for reference in self._schema_of(one.schema).references
        }

    def _registered(
        self, asked: Collection[Asked]
    ) -> tuple[dict[str, StoredSchema], list[StoreRecord]]:
        """All are of one context: only strong associations come with schemas."""
        beside: dict[tuple[str, ...], int] = {}
        found: dict[str, StoredSchema] = {}
        records: list[StoreRecord] = []
        for one in asked:
            if one.schema is None:
                continue
            schema = self._schema_of(one.schema)
            wanted = Registration(
                _subject_of(one),
                schema,
                normalize=one.normalize,
                keeps_tags=one.schema.get(KEEPS_TAGS) is True,
                beside=dict(beside),
            )
            stored, wanted_records = self._registrar.register(wanted)
            beside[stored.schema.key] = stored.id
            found[one.kind] = stored
            records += (record for record in wanted_records if record not in records)
        return found, records

    def _made(self, resource: Resource, one: Asked, former: Association | None) -> Association:
        if former is None:
            assert one.lifecycle is not None
            return Association(
                self._new_guid(),
                resource,
                one.kind,
                _subject_of(one),
                one.lifecycle,
                bool(one.is_frozen),
            )
        return former._replace(
            lifecycle=one.lifecycle or former.lifecycle,
            is_frozen=former.is_frozen if one.is_frozen is None else one.is_frozen,
        )


def deleted(
    state: RegistryState, resource: tuple[str, str], kinds: Collection[str], *, cascades: bool
) -> list[StoreRecord]:
    """`resource` is an id and a type. With `cascades` subjects that were its own go with it."""
    found = fitting(state.associations.of_resource(*resource), kinds)
    records: list[StoreRecord] = []
    for one in found:
        ensure_writable(state, one.subject)
        if one.is_frozen and not cascades:
            raise _frozen(one)
    for one in found:
        records.append(association_tombstone(one))
        is_import = mode_of(state, one.subject) == IMPORT
        if cascades and one.lifecycle == STRONG and not is_import:
            records += delete_owned_subject(state, one.subject)
    return records


def _subject_of(one: Asked) -> str:
    assert one.subject is not None, "it is named before it is looked at"
    return one.subject


def _with_subject(one: Asked, former: Association | None, default: str) -> Asked:
    if one.subject is not None:
        return one
    if former is not None:
        return replace(one, subject=former.subject)
    if one.lifecycle == STRONG:
        return replace(one, subject=default)
    raise invalid("subject", "must be provided for WEAK associations")


def _check(one: Asked, former: Association | None, default: str) -> None:
    """As it would be then."""
    lifecycle = one.lifecycle or (former and former.lifecycle)
    if lifecycle == WEAK and one.schema is not None:
        raise invalid("lifecycle", "cannot be WEAK when schema is provided")
    if lifecycle == WEAK and one.subject == default:
        raise invalid("subject", f"WEAK associations cannot use subject '{default}'")
    is_frozen = bool(one.is_frozen) if former is None else former.is_frozen
    wanted = is_frozen if one.is_frozen is None else one.is_frozen
    if wanted != (lifecycle == STRONG):
        raise unlike(lifecycle, is_frozen=wanted)
    if is_frozen and one.subject != default:
        raise invalid("subject", f"frozen associations must use subject '{default}'")


def _is_like(former: Association, one: Asked) -> bool:
    return (
        former.subject == one.subject
        and one.lifecycle in (None, former.lifecycle)
        and one.is_frozen in (None, former.is_frozen)
    )


def _ensure_may_change(change: Change, one: Asked, former: Association, default: str) -> None:
    if change.is_new:
        raise _exists(former)
    if one.lifecycle is None and one.schema is None:
        raise invalid("lifecycle", "at least lifecycle or schema must be provided for update")
    if one.subject != former.subject:
        text = f"cannot be changed from '{former.subject}' to '{one.subject}'"
        raise invalid("subject", f"subject of association {text}")
    if former.lifecycle == STRONG and one.lifecycle == WEAK and former.subject == default:
        text = f"cannot change to WEAK when subject matches default format '{default}'"
        raise invalid("lifecycle", text)
    if one.is_frozen not in (None, former.is_frozen):
        raise invalid("frozen", "frozen attribute of association cannot be changed")
    if former.is_frozen:
        raise _frozen(former)


def _exists(former: Association) -> Exception:
    text = f"An association of type '{former.kind}' already exists for resource"
    return refuse(Refusal.RESOURCE_HAS_ASSOCIATION, f"{text} '{former.resource.name}'")


def _frozen(former: Association) -> Exception:
    text = f"The association of type  '{former.kind}' is frozen for subject '{former.subject}'"
    return refuse(Refusal.FROZEN, text)
