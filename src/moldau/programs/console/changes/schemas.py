"""Registering and deleting schemas, and the level of compatibility that subjects keep.

Commands name the first address of the registry. Where `moldau schema` has no flag for it, the
command is curl's.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from moldau.client.schemas import RegistryCalls, RegistryError, SchemaText
from moldau.programs.console.api.refusals import no_such
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.cluster.subjects import (
    conflicts_of,
    given_schema,
    level_of,
    registry_of,
    versions_of,
)
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.schemas.levels import Level

__all__ = ["SCHEMA_KINDS"]

ENDINGS: Final = {"AVRO": "avsc", "JSON": "json", "PROTOBUF": "proto"}
CONFLICT: Final = 409
UNKNOWN: Final = 404


async def _register(reach: Reach, given: Given) -> Change:
    """What cannot follow is refused before it is shown, with every reason."""
    calls = registry_of(reach)
    subject, schema = field_of(given, "subject", str), given_schema(given)
    before = await versions_of(calls, subject)
    conflicts = await conflicts_of(calls, subject, schema)
    if conflicts:
        level, _ = await level_of(calls, subject)
        raise HttpError(CONFLICT, f"It may not follow by {level}: {' '.join(conflicts)} {REMEDY}")
    known = await _known(calls, subject, schema)
    if known is not None:
        raise HttpError(CONFLICT, f"{subject} has this schema already, as version {known}")
    version = max(await versions_of(calls, subject, deleted=True), default=0) + 1

    async def run() -> dict[str, int]:
        done = await calls.register(subject, schema)
        return {"id": done.id}

    difference = Difference(f"versions of {subject}", _listed(before), _listed([*before, version]))
    undo = ("delete-schema", {"subject": subject, "version": version})
    return Change(_register_line(calls, subject, schema), [difference], run, undo=undo)


async def _delete(reach: Reach, given: Given) -> Change:
    calls = registry_of(reach)
    subject, version = field_of(given, "subject", str), maybe_field(given, "version", int)
    is_for_good = maybe_field(given, "permanent", bool) or False
    found = await versions_of(calls, subject, deleted=is_for_good)
    if not found:
        raise no_such("subject", subject)
    if version is not None and version not in found:
        had = _listed(found)
        raise HttpError(UNKNOWN, f"{subject} has no such version: its versions are {had}")
    left = [] if version is None else [one for one in found if one != version]
    undo = None
    if version is not None and not is_for_good:
        undo = ("register-schema", await _as_given(calls, subject, version))

    async def run() -> None:
        await calls.delete(subject, version, permanent=is_for_good)

    words = ["delete", "--subject", subject]
    words += [] if version is None else ["--version", str(version)]
    words += ["--permanent"] if is_for_good else []
    warning = FOR_GOOD if is_for_good else STILL_READ
    difference = Difference(f"versions of {subject}", _listed(found), _listed(left))
    return Change(_line(calls, *words), [difference], run, warning, undo)


async def _set_level(reach: Reach, given: Given) -> Change:
    """Of a subject, or of all that have none of their own; no level gives up the subject's."""
    calls = registry_of(reach)
    subject, level = maybe_field(given, "subject", str), maybe_field(given, "level", str)
    if level is not None and level not in Level.__members__:
        raise HttpError(400, f"A level is one of {', '.join(Level.__members__)}")
    if subject is None and level is None:
        raise HttpError(400, "level is missing")
    before, is_own = await level_of(calls, subject)
    path = "/config" if subject is None else f"/config/{quote(subject, safe='')}"
    body = None if level is None else {"compatibility": level}
    method = "DELETE" if level is None else "PUT"

    async def run() -> None:
        await calls.call(method, path, body)

    shown = before if subject is None or is_own else f"{before}, as all"
    difference = Difference(f"compatibility of {subject or 'all'}", shown, level or "as all")
    former = before if subject is None or is_own else None
    undo = ("set-compatibility", {"subject": subject, "level": former})
    return Change(_curl(calls, method, path, body), [difference], run, undo=undo)


async def _as_given(calls: RegistryCalls, subject: str, version: int) -> dict[str, Any]:
    schema = (await calls.version(subject, version)).schema
    references = [one.as_json() for one in schema.references]
    body = {"subject": subject, "schema": schema.text, "type": schema.kind}
    return {**body, "references": references} if references else body


async def _known(calls: RegistryCalls, subject: str, schema: SchemaText) -> int | None:
    try:
        return (await calls.look_up(subject, schema)).version
    except RegistryError as error:
        if error.status == UNKNOWN:
            return None
        raise


def _listed(versions: list[int]) -> str | None:
    return ", ".join(map(str, versions)) or None


def _register_line(calls: RegistryCalls, subject: str, schema: SchemaText) -> str:
    if schema.references:
        path = f"/subjects/{quote(subject, safe='')}/versions"
        return _curl(calls, "POST", path, schema.as_json())
    name = f"schema.{ENDINGS.get(schema.kind, 'txt')}"
    words = ("register", "--subject", subject, "--type", schema.kind, "--file", name)
    return f"printf %s {shlex.quote(schema.text)} > {name}\n{_line(calls, *words)}"


def _line(calls: RegistryCalls, action: str, *words: str) -> str:
    address = ("--registry", calls.settings.urls[0])
    return shlex.join(["moldau", "schema", action, *address, *words])


def _curl(
    calls: RegistryCalls, method: str, path: str, body: Mapping[str, Any] | None = None
) -> str:
    words = ["curl", "--request", method]
    if body is not None:
        words += ["--header", "Content-Type: application/json", "--data", json.dumps(body)]
    return shlex.join([*words, f"{calls.settings.urls[0]}{path}"])


REMEDY: Final = "Change that, or set another level of compatibility first."
STILL_READ: Final = "New records cannot use it; what was written with it can still be read."
FOR_GOOD: Final = "Records that were written with it cannot be decoded any more."
SCHEMA_KINDS: Final = (
    Kind(
        "register-schema",
        "Register a schema as the next version of a subject",
        {"subject": "string", "schema": "string", "type": "string?", "references": "array?"},
        _register,
    ),
    Kind(
        "delete-schema",
        "Delete a version, or a subject with all of them",
        {"subject": "string", "version": "integer?", "permanent": "boolean?"},
        _delete,
    ),
    Kind(
        "set-compatibility",
        "Set which versions may follow, of a subject or of all",
        {"subject": "string?", "level": "string?"},
        _set_level,
    ),
)
