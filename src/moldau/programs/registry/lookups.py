"""Questions to the state, and the refusals where there is no answer."""

from __future__ import annotations

from moldau.programs.registry.names import LATEST, context_of
from moldau.programs.registry.records import StoredSchema
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.state import RegistryState

__all__ = ["by_guid", "by_id", "need_subject", "need_version", "places_of_id", "resolved"]


def resolved(state: RegistryState, subject: str) -> str:
    """The subject itself, or the one that its alias names."""
    alias = state.configs.get(subject, {}).get("alias")
    return alias if isinstance(alias, str) and alias else subject


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
    """One of them; the latest where `version` is -1."""
    found = need_subject(state, subject, deleted=deleted)
    if version == LATEST:
        return found[-1]
    for one in found:
        if one.version == version:
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


def by_id(state: RegistryState, number: int, subject: str = "") -> StoredSchema:
    """Also where it is softly deleted: what was written with it can still be read."""
    found = places_of_id(state, number, subject, deleted=True)
    if not found:
        raise refuse(Refusal.SCHEMA_NOT_FOUND, f"Schema {number} not found")
    return next((one for one in found if one.subject == subject), found[0])


def by_guid(state: RegistryState, guid: str) -> StoredSchema:
    place = state.by_guid.get(guid.lower())
    if place is None:
        raise refuse(Refusal.SCHEMA_NOT_FOUND, f"Schema {guid} not found")
    return state.subjects[place[0]][place[1]]
