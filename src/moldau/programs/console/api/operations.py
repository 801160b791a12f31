"""The API as a table: what each operation is for, what it takes, and the function that answers.

The routes and the OpenAPI document are made from the same lines, so that the document cannot say
anything else than what is served.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from moldau import __version__
from moldau.programs.console.api.answers import ANSWERS, CHANGED, PLANNED
from moldau.programs.console.api.shapes import schema_of
from moldau.programs.console.formats.plain import PLAIN
from moldau.programs.http.messages import Handler
from moldau.programs.http.routes import Route

__all__ = ["FORMAT_PARAMETERS", "Operation", "Parameter", "openapi", "routes_of"]

API: Final = "/api"
CHANGES: Final = "/api/changes/"
JSON: Final = "application/json"
NAMES: Final = re.compile(r"\{(\w+)\}")
REFUSAL: Final = {
    "type": "object",
    "required": ["error_code", "message"],
    "properties": {"error_code": {"type": "integer"}, "message": {"type": "string"}},
}
HEADER: Final = {
    "name": "X-Moldau-Console",
    "in": "header",
    "required": True,
    "schema": {"type": "string"},
    "description": "Any value: a page of another origin cannot send it.",
}


class Parameter(NamedTuple):
    """A parameter of the query."""

    name: str
    type: str
    description: str


FORMAT_PARAMETERS: Final = tuple(
    Parameter(
        f"{part}_format",
        "string",
        f"what decodes {part}s: text, hex, {', '.join(PLAIN)}, or a format of users; what is "
        "usual, unless given",
    )
    for part in ("key", "value")
)


class Operation(NamedTuple):
    """One line of the table."""

    method: str
    path: str
    handler: Handler
    summary: str
    query: tuple[Parameter, ...] = ()
    body: Mapping[str, str] | None = None
    """Fields of the JSON object that is sent: a type of JSON Schema by name; `?` where optional."""
    media_type: str = JSON


def routes_of(operations: Iterable[Operation]) -> list[Route]:
    return [Route(one.method, one.path, one.handler) for one in operations]


def openapi(operations: Iterable[Operation], root: str = API) -> dict[str, Any]:
    """The document, in version 3.1; `root` is where the paths begin."""
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        path = root + one.path.removeprefix(API)
        paths.setdefault(path, {})[one.method.lower()] = _described(one)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Moldau console", "version": __version__},
        "paths": paths,
        "components": {"schemas": {"Refusal": REFUSAL}},
    }


def _described(one: Operation) -> dict[str, Any]:
    refusal = {"$ref": "#/components/schemas/Refusal"}
    found: dict[str, Any] = {
        "summary": one.summary,
        "operationId": _identifier(one),
        "parameters": _parameters(one),
        "responses": {
            "200": {"description": "done", "content": {one.media_type: _answer(one)}},
            "default": {
                "description": "refused, with a sentence that names the cause",
                "content": {JSON: {"schema": refusal}},
            },
        },
    }
    if one.body is not None:
        found["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": _object(one.body)}},
        }
    return found


def _answer(one: Operation) -> dict[str, Any]:
    """Of JSON its schema; events and bytes have none beside their media type."""
    if one.media_type != JSON:
        return {}
    is_change = one.path.startswith(CHANGES)
    planned = PLANNED if one.path.endswith("/plan") else CHANGED
    return {"schema": schema_of(planned if is_change else ANSWERS.get(one.path, "any"))}


def _identifier(one: Operation) -> str:
    words = re.findall(r"\w+", one.path.removeprefix(API))
    return "_".join([one.method.lower(), *words])


def _parameters(one: Operation) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in NAMES.findall(one.path)
    ]
    found += [
        {
            "name": name,
            "in": "query",
            "required": False,
            "schema": {"type": kind},
            "description": description,
        }
        for name, kind, description in one.query
    ]
    return [*found, HEADER] if one.method != "GET" else found


def _object(fields: Mapping[str, str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": kind.removesuffix("?")} for name, kind in fields.items()},
        "required": [name for name, kind in fields.items() if not kind.endswith("?")],
    }
