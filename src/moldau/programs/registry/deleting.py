"""Which records delete a version or a subject, softly and for good."""

from __future__ import annotations

from collections.abc import Sequence

from moldau.programs.registry.lookups import need_subject, need_version
from moldau.programs.registry.records import (
    StoredSchema,
    StoreRecord,
    config_record,
    delete_subject_record,
    mode_record,
    schema_record,
    tombstone,
)
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.settings import ensure_writable
from moldau.programs.registry.state import RegistryState

__all__ = ["delete_subject", "delete_version"]


def delete_subject(
    state: RegistryState, subject: str, *, permanent: bool
) -> tuple[list[int], list[StoreRecord]]:
    """Its versions, and the records that delete them."""
    ensure_writable(state, subject)
    every = need_subject(state, subject, deleted=True)
    live = [one for one in every if not one.is_deleted]
    if permanent:
        if live:
            raise refuse(
                Refusal.SUBJECT_NOT_SOFT_DELETED,
                f"Subject '{subject}' was not deleted first before being permanently deleted",
            )
        _ensure_unreferenced(state, every)
        return _numbers(every), [tombstone(*one.place) for one in every]
    if not live:
        raise refuse(
            Refusal.SUBJECT_SOFT_DELETED,
            f"Subject '{subject}' was soft deleted.Set permanent=true to delete permanently",
        )
    _ensure_unreferenced(state, live)
    records = [delete_subject_record(subject, live[-1].version)]
    if subject in state.configs:
        records.append(config_record(subject, None))
    if subject in state.modes:
        records.append(mode_record(subject, None))
    return _numbers(live), records


def delete_version(
    state: RegistryState, subject: str, version: int, *, permanent: bool
) -> tuple[int, list[StoreRecord]]:
    """Its number, and the records that delete it."""
    ensure_writable(state, subject)
    need_subject(state, subject, deleted=True)
    stored = need_version(state, subject, version, deleted=permanent or version > 0)
    shown = f"Subject '{subject}' Version {stored.version}"
    if permanent and not stored.is_deleted:
        raise refuse(
            Refusal.VERSION_NOT_SOFT_DELETED,
            f"{shown} was not deleted first before being permanently deleted",
        )
    if not permanent and stored.is_deleted:
        raise refuse(
            Refusal.VERSION_SOFT_DELETED,
            f"{shown} was soft deleted.Set permanent=true to delete permanently",
        )
    _ensure_unreferenced(state, [stored])
    if permanent:
        return stored.version, [tombstone(*stored.place)]
    return stored.version, [schema_record(stored._replace(is_deleted=True))]


def _ensure_unreferenced(state: RegistryState, versions: Sequence[StoredSchema]) -> None:
    leaving = {one.place for one in versions}
    for one in versions:
        others = [
            place
            for place in state.referrers.get(one.place, ())
            if place not in leaving and not state.subjects[place[0]][place[1]].is_deleted
        ]
        if others:
            raise refuse(
                Refusal.REFERENCE_EXISTS,
                "One or more references exist to the schema {magic=1,keytype=SCHEMA,"
                f"subject={one.subject},version={one.version}}}.",
            )


def _numbers(versions: Sequence[StoredSchema]) -> list[int]:
    return [one.version for one in versions]
