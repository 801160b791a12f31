"""Questions to the state, and the refusals where there is no answer."""

from __future__ import annotations

from moldau.programs.registry.names import DEFAULT_CONTEXT, LATEST, context_of, in_context
from moldau.programs.registry.records import StoredSchema
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.state import RegistryState

__all__ = [
    "by_guid",
    "by_id",
    "need_subject",
    "need_version",
    "places_of_id",
    "resolved",
    "where_id_is",
    "wherever",
]


def resolved(state: RegistryState, subject: str, *, for_keys: bool = False) -> str:
    """The subject itself, or the one that its alias names, which is in its own context.

    Where its keys are meant, its alias for these has the first word.
    """
    config = state.configs.get(subject, {})
    alias = (config.get("aliasForDeks") if for_keys else None) or config.get("alias")
    if not isinstance(alias, str) or not alias:
        return subject
    return in_context(context_of(subject), alias)


def need_subject(
    state: RegistryState, subject: str, *, deleted: bool = False
) -> list[StoredSchema]:
    """Its versions, oldest first."""
    found = state.versions(subject, deleted=deleted)
    if not found:
        raise refuse(Refusal.SUBJECT_NOT_FOUND, f"Subject '{subject}' not found.")
    return found


def need_version(
    state: RegistryState, subject: str, version: int, *, deleted: bool = False
) -> StoredSchema:
    """One of them; the latest that is not deleted where `version` is -1."""
    for one in reversed(need_subject(state, subject, deleted=deleted)):
        if one.version == version or (version == LATEST and not one.is_deleted):
            return one
    raise refuse(Refusal.VERSION_NOT_FOUND, f"Version {version} not found.")


def places_of_id(
    state: RegistryState, number: int, subject: str = "", *, deleted: bool = False
) -> list[StoredSchema]:
    """The versions with that id, in the context that `subject` is in."""
    ids = state.contexts.get(context_of(subject))
    places = ids.places.get(number, {}) if ids is not None else {}
    found = [state.subjects[name][version] for name, version in places]
    return [one for one in found if deleted or not one.is_deleted]


def wherever(state: RegistryState, subject: str, *, deleted: bool = False) -> str:
    """The subject itself; where it has no versions, one of that name in another context."""
    if state.versions(subject, deleted=deleted) or context_of(subject) != DEFAULT_CONTEXT:
        return subject
    names = (in_context(context, subject) for context in sorted(state.contexts))
    return next((name for name in names if state.versions(name, deleted=deleted)), subject)


def where_id_is(state: RegistryState, number: int, subject: str) -> str:
    """The subject in whose context the id is meant: one that names no context may be in any."""
    here = places_of_id(state, number, subject, deleted=True)
    if not subject or any(one.subject == subject for one in here):
        return subject
    elsewhere = wherever(state, subject, deleted=True)
    return elsewhere if places_of_id(state, number, elsewhere, deleted=True) else subject


def by_id(state: RegistryState, number: int, subject: str = "") -> StoredSchema:
    """Also where it is softly deleted: what was written with it can still be read."""
    meant = where_id_is(state, number, subject)
    found = places_of_id(state, number, meant, deleted=True)
    if not found:
        raise refuse(Refusal.SCHEMA_NOT_FOUND, f"Schema {number} not found")
    return next((one for one in found if one.subject == meant), found[0])


def by_guid(state: RegistryState, guid: str) -> StoredSchema:
    place = state.by_guid.get(guid.lower())
    if place is None:
        raise refuse(Refusal.SCHEMA_NOT_FOUND, f"Schema {guid} not found")
    return state.subjects[place[0]][place[1]]
