"""Which records delete a version or a subject, softly and for good."""

from __future__ import annotations

from collections.abc import Sequence

from moldau.programs.registry.lookups import need_subject, need_version
from moldau.programs.registry.records import (
    CONFIG,
    MODE,
    StoredSchema,
    StoreRecord,
    delete_subject_record,
    schema_record,
    tombstone,
    without_setting,
)
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.settings import ensure_writable
from moldau.programs.registry.state import RegistryState

__all__ = ["delete_owned_subject", "delete_subject", "delete_version"]


def delete_subject(
    state: RegistryState, subject: str, *, permanent: bool
) -> tuple[list[int], list[StoreRecord]]:
    """Its versions, and the records that delete them; its settings go with the last of them."""
    ensure_writable(state, subject)
    if state.associations.of_subject(subject):
        text = f"An association already exists for subject '{subject}'"
        raise refuse(Refusal.SUBJECT_HAS_ASSOCIATION, text)
    every = need_subject(state, subject, deleted=True)
    live = [one for one in every if not one.is_deleted]
    if permanent:
        _ensure_unreferenced(state, every, deleted=True)
        if live:
            raise refuse(
                Refusal.SUBJECT_NOT_SOFT_DELETED,
                f"Subject '{subject}' was not deleted first before being permanently deleted",
            )
        gone = [tombstone(*one.place) for one in reversed(every)]
        return _numbers(every), [*gone, *_settings(state, subject)]
    if not live:
        raise refuse(
            Refusal.SUBJECT_SOFT_DELETED,
            f"Subject '{subject}' was soft deleted.Set permanent=true to delete permanently",
        )
    _ensure_unreferenced(state, live, deleted=False)
    return _numbers(live), [delete_subject_record(subject, live[-1].version)]


def delete_version(
    state: RegistryState, subject: str, version: int, *, permanent: bool
) -> tuple[int, list[StoreRecord]]:
    """Its number, and the records that delete it."""
    ensure_writable(state, subject)
    every = need_subject(state, subject, deleted=True)
    stored = need_version(state, subject, version, deleted=True)
    shown = f"Subject '{subject}' Version {stored.version}"
    if not permanent and stored.is_deleted:
        raise refuse(
            Refusal.VERSION_SOFT_DELETED,
            f"{shown} was soft deleted.Set permanent=true to delete permanently",
        )
    _ensure_unreferenced(state, [stored], deleted=permanent)
    if not permanent:
        _ensure_active(state, subject, stored)
        return stored.version, [schema_record(stored._replace(is_deleted=True))]
    if not stored.is_deleted:
        raise refuse(
            Refusal.VERSION_NOT_SOFT_DELETED,
            f"{shown} was not deleted first before being permanently deleted",
        )
    settings = _settings(state, subject) if len(every) == 1 else []
    return stored.version, [tombstone(*stored.place), *settings]


def delete_owned_subject(state: RegistryState, subject: str) -> list[StoreRecord]:
    """Both steps at once, for a subject that goes with its topic."""
    every = state.versions(subject, deleted=True)
    if not every:
        return []
    ensure_writable(state, subject)
    _ensure_unreferenced(state, every, deleted=True)
    gone = [tombstone(*one.place) for one in reversed(every)]
    return [delete_subject_record(subject, every[-1].version), *gone, *_settings(state, subject)]


def _ensure_active(state: RegistryState, subject: str, leaving: StoredSchema) -> None:
    """A subject with associations keeps a version that can be written with."""
    if not state.associations.of_subject(subject):
        return
    if all(one.version == leaving.version for one in state.versions(subject)):
        text = f"No active (non-deleted) version exists for subject '{subject}'"
        raise refuse(Refusal.NO_ACTIVE_VERSION, text)


def _settings(state: RegistryState, subject: str) -> list[StoreRecord]:
    """What ends the settings of a subject that is gone."""
    found: list[StoreRecord] = []
    if subject in state.modes:
        found += without_setting(MODE, subject)
    if subject in state.configs:
        found += without_setting(CONFIG, subject)
    return found


def _ensure_unreferenced(
    state: RegistryState, versions: Sequence[StoredSchema], *, deleted: bool
) -> None:
    """With `deleted` by what is deleted softly, too: it may come back."""
    leaving = {one.place for one in versions}
    for one in versions:
        others = [
            place
            for place in state.referrers.get(one.place, ())
            if place not in leaving
            and (deleted or not state.subjects[place[0]][place[1]].is_deleted)
        ]
        if others:
            raise refuse(
                Refusal.REFERENCE_EXISTS,
                "One or more references exist to the schema {magic=1,keytype=SCHEMA,"
                f"subject={one.subject},version={one.version}}}.",
            )


def _numbers(versions: Sequence[StoredSchema]) -> list[int]:
    return [one.version for one in versions]
