"""Schemas as clients send and get them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from moldau.programs.http.json_bodies import json_response
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.registry.names import context_of, in_context
from moldau.programs.registry.records import StoredSchema
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.schemas.model import AVRO, JsonObject, Reference, SchemaText

__all__ = [
    "LONG_PAGE",
    "MEDIA_TYPE",
    "ensure_media_type",
    "maybe_object",
    "page_of",
    "qualify_references",
    "reply",
    "schema_json",
    "schema_of",
]

MEDIA_TYPE: Final = "application/vnd.schemaregistry.v1+json"
MEDIA_TYPES: Final = (
    "",
    MEDIA_TYPE,
    "application/vnd.schemaregistry+json",
    "application/json",
    "application/octet-stream",
)
LONG_PAGE: Final = 1000
"""Of what is listed whole, with texts; the next request begins where the page ended."""
MALFORMED: Final = (KeyError, TypeError, ValueError)
Item = TypeVar("Item")


def reply(value: object) -> Response:
    return json_response(value, MEDIA_TYPE)


def ensure_media_type(request: Request) -> None:
    if request.media_type not in MEDIA_TYPES:
        raise HttpError(415, "HTTP 415 Unsupported Media Type")


def schema_of(body: Mapping[str, Any], *, may_be_empty: bool = False) -> SchemaText:
    """Of a request; `HttpError` where it has none, unless it may mean the version before it."""
    text = body.get("schema")
    if may_be_empty and text is None:
        text = ""
    if not isinstance(text, str) or not (may_be_empty or text.strip()):
        raise refuse(Refusal.INVALID_SCHEMA, "Empty schema")
    return SchemaText(
        text,
        str(body.get("schemaType") or AVRO).upper(),
        _references(body.get("references") or ()),
        maybe_object(body, "metadata"),
        maybe_object(body, "ruleSet"),
    )


def _references(given: object) -> tuple[Reference, ...]:
    try:
        assert isinstance(given, Sequence)
        return tuple(map(Reference.of_json, given))
    except (*MALFORMED, AssertionError):
        text = "Invalid schema: a reference has to have a name, a subject and a version"
        raise refuse(Refusal.INVALID_SCHEMA, text) from None


def maybe_object(body: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    value = body.get(name)
    if value is not None and not isinstance(value, dict):
        raise HttpError(422, f"{name} is no JSON object")
    return value or None


def schema_json(stored: StoredSchema, text: str | None = None) -> JsonObject:
    """One version, with its text or another form of it."""
    return {
        "subject": stored.subject,
        "version": stored.version,
        "id": stored.id,
        "guid": stored.guid,
        **stored.schema.as_json(text),
        **({"deleted": True} if stored.is_deleted else {}),
    }


def qualify_references(answer: JsonObject, subject: str, request: Request) -> None:
    """Name the context of references, too, where that is asked for: they are in the subject's."""
    context = context_of(subject)
    if request.one("referenceFormat") != "qualified" or "references" not in answer:
        return
    answer["references"] = [
        {**one, "subject": in_context(context, one["subject"])} for one in answer["references"]
    ]


def page_of(request: Request, items: Sequence[Item], most: int | None = None) -> list[Item]:
    """What `offset` and `limit` of the query leave; a limit of 0 is none, or `most`."""
    first = max(request.number("offset", 0), 0)
    limit = request.number("limit", -1)
    if most is not None and not 0 < limit <= most:
        limit = most
    return list(items[first : first + limit] if limit > 0 else items[first:])
