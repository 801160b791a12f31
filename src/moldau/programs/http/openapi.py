"""An OpenAPI document of the routes that are served.

Paths, methods and what paths have for their names come from the routes themselves, so the document
cannot name a path that is not there. What a route takes beside is declared, a line for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from moldau import __version__
from moldau.programs.http.routes import Route

__all__ = ["Operation", "document"]

NAMES: Final = re.compile(r"\{(\w+)\}")
WORDS: Final = re.compile(r"\w+")
TEXT: Final = "string"
REFUSAL: Final = {
    "type": "object",
    "required": ["error_code", "message"],
    "properties": {"error_code": {"type": "integer"}, "message": {"type": TEXT}},
}


class Operation(NamedTuple):
    """What a route is for."""

    summary: str
    answer: str
    """The type of its JSON; nothing where that may be any."""
    query: tuple[str, ...] = ()
    """Parameters that are texts; `?` behind a name is a flag, `#` a number."""
    body: Mapping[str, str] | None = None
    """Fields of the object that is sent, and their types; `?` behind a type where it may lack."""


def document(
    title: str,
    media_type: str,
    routes: Iterable[Route],
    operations: Mapping[tuple[str, str], Operation],
) -> dict[str, Any]:
    """In version 3.1, of all routes; each has its line among `operations`."""
    paths: dict[str, dict[str, Any]] = {}
    for method, pattern, _ in routes:
        found = _described(method, pattern, operations[method, pattern], media_type)
        paths.setdefault(pattern, {})[method.lower()] = found
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": __version__},
        "paths": paths,
        "components": {"schemas": {"Refusal": REFUSAL}},
    }


def _described(method: str, pattern: str, operation: Operation, media_type: str) -> dict[str, Any]:
    refusal = {media_type: {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    schema = {"type": operation.answer} if operation.answer else {}
    answer = {media_type: {"schema": schema}}
    names = [_parameter(name, "path") for name in NAMES.findall(pattern)]
    found: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": "_".join([method.lower(), *WORDS.findall(pattern)]),
        "parameters": names + [_parameter(name, "query") for name in operation.query],
        "responses": {
            "200": {"description": "done", "content": answer},
            "default": {"description": "refused, with the reason", "content": refusal},
        },
    }
    if operation.body is not None:
        body = {"schema": _object(operation.body)}
        found["requestBody"] = {"required": True, "content": {media_type: body}}
    return found


def _parameter(text: str, where: str) -> dict[str, Any]:
    kind = {"?": "boolean", "#": "integer"}.get(text[-1], TEXT)
    schema = {"type": kind, "minLength": 1} if where == "path" else {"type": kind}
    return {"name": text.rstrip("?#"), "in": where, "required": where == "path", "schema": schema}


def _object(fields: Mapping[str, str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": kind.rstrip("?")} for name, kind in fields.items()},
        "required": [name for name, kind in fields.items() if not kind.endswith("?")],
    }
