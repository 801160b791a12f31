"""Schemas of a registry: its subjects, their versions, who refers to them, and what may follow.

All is asked of the registry when a page is looked at. With logins it is asked as the user, so that
a registry that knows the users of the cluster decides for each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

from moldau.client.schemas import RegistryCalls, RegistryError, SchemaText
from moldau.errors import MoldauError
from moldau.programs.console.api.forms import form_of
from moldau.programs.console.api.operations import Operation, Parameter
from moldau.programs.console.reach import Reach, sentence_of
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.rest.bodies import field_of, maybe_field, objects_of, reply
from moldau.schemas.model import AVRO, Reference

__all__ = [
    "SubjectPages",
    "conflicts_of",
    "given_schema",
    "in_sentences",
    "level_of",
    "registry_of",
    "versions_of",
]

UNKNOWN: Final = 404
NO_REGISTRY: Final = (
    "This console was started without the address of a registry: it needs one for schemas"
)
CONFLICT: Final = re.compile(
    r"\{errorType:'\w+', description:'(?P<what>.*?)'(?:, additionalInfo:'(?P<more>.*)')?\}",
    re.DOTALL,
)
VERSION: Final = re.compile(r"\{oldSchemaVersion: (\d+)\}")


class SubjectPages:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def operations(self) -> list[Operation]:
        deleted = Parameter("deleted", "boolean", "with those that can be brought back")
        subject = "/api/subjects/{subject}"
        body = {"schema": "string", "type": "string?", "references": "array?"}
        return [
            Operation("GET", "/api/subjects", self.list, "Subjects, a row for each", (deleted,)),
            Operation("GET", subject, self.one, "Versions, and the level that holds"),
            Operation("GET", f"{subject}/versions/{{version}}", self.version, "One version"),
            Operation(
                "POST", f"{subject}/check", self.check, "Whether a schema may follow", body=body
            ),
        ]

    async def list(self, request: Request) -> Response:
        """In one request to the registry for each thousand."""
        calls = registry_of(self._reach)
        with_deleted = request.flag("deleted")
        flag = "&deleted=true" if with_deleted else ""
        found = await calls.every(f"&latestOnly=true{flag}")
        rows = [
            [one["subject"], one["version"], one["id"], one.get("schemaType", AVRO)]
            for one in found
        ]
        level, problem = await _maybe(calls, "/config")
        return reply({"rows": sorted(rows), "level": _level(level), "problem": problem})

    async def one(self, request: Request) -> Response:
        calls = registry_of(self._reach)
        subject = request.parameters["subject"]
        kept = await versions_of(calls, subject)
        every = await calls.versions(subject, deleted=True)
        level, is_own = await level_of(calls, subject)
        return reply(
            {
                "subject": subject,
                "versions": kept,
                "deleted": [number for number in every if number not in kept],
                "level": level,
                "is_own_level": is_own,
            }
        )

    async def version(self, request: Request) -> Response:
        calls = registry_of(self._reach)
        subject, version = request.parameters["subject"], request.parameters["version"]
        found = await calls.version(subject, quote(version, safe=""))
        path = f"/subjects/{quote(subject, safe='')}/versions/{found.version}/referencedby"
        users, problem = await _maybe(calls, path)
        return reply(
            {
                "version": found.version,
                "id": found.id,
                "guid": found.guid,
                "type": found.schema.kind,
                "schema": found.schema.text,
                "references": [one.as_json() for one in found.schema.references],
                "referenced_by": users,
                "problem": problem,
            }
        )

    async def check(self, request: Request) -> Response:
        subject, given = request.parameters["subject"], form_of(request)
        calls = registry_of(self._reach)
        return reply({"conflicts": await conflicts_of(calls, subject, given_schema(given))})


def registry_of(reach: Reach) -> RegistryCalls:
    """404 where there is none."""
    if reach.registry is None:
        raise HttpError(UNKNOWN, NO_REGISTRY)
    return reach.registry


def given_schema(given: Mapping[str, Any]) -> SchemaText:
    """The schema of a request's body."""
    references = objects_of(given, "references", may_lack=True)
    return SchemaText(
        field_of(given, "schema", str),
        maybe_field(given, "type", str) or AVRO,
        tuple(
            Reference(
                field_of(one, "name", str),
                field_of(one, "subject", str),
                field_of(one, "version", int),
            )
            for one in references
        ),
    )


async def conflicts_of(calls: RegistryCalls, subject: str, schema: SchemaText) -> list[str]:
    """Why it may not follow; nothing conflicts with a subject that is not there yet."""
    if not await versions_of(calls, subject):
        return []
    return in_sentences(await calls.conflicts(subject, schema))


def in_sentences(messages: Iterable[str]) -> list[str]:
    """What registries write in a notation of their own; of the earlier schema its version alone."""
    found = []
    for text in messages:
        if conflict := CONFLICT.fullmatch(text):
            what, more = conflict["what"], conflict["more"]
            found.append(f"{what}: {more}." if more and more not in what else f"{what}.")
        elif version := VERSION.fullmatch(text):
            found.append(f"It was compared with version {version[1]}.")
        elif not text.startswith(("{oldSchema:", "{validateFields:")):
            found.append(text)
    return found


async def level_of(calls: RegistryCalls, subject: str | None) -> tuple[str, bool]:
    """The level of compatibility that holds, and whether it was set for the subject itself."""
    if subject is not None:
        own, _ = await _maybe(calls, f"/config/{quote(subject, safe='')}")
        if own is not None:
            return _level(own), True
    return _level(await calls.call("GET", "/config")), False


async def versions_of(calls: RegistryCalls, subject: str, *, deleted: bool = False) -> list[int]:
    """None of a subject that is not there."""
    try:
        return await calls.versions(subject, deleted=deleted)
    except RegistryError as error:
        if error.status == UNKNOWN:
            return []
        raise


async def _maybe(calls: RegistryCalls, path: str) -> tuple[Any, str | None]:
    """A part of the page, or why it is missing."""
    try:
        return await calls.call("GET", path), None
    except MoldauError as error:
        return None, sentence_of(error)


def _level(found: Mapping[str, Any] | None) -> str:
    return str((found or {}).get("compatibilityLevel") or "")
