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

__all__ = ["NOTHING", "Operation", "document"]

NAMES: Final = re.compile(r"\{(\w+)\}")
WORDS: Final = re.compile(r"\w+")
TEXT: Final = "string"
NOTHING: Final = "nothing"
"""In place of the type of an answer: a status of 204 without a body."""
BYTES: Final = ".stream"
"""How media types end that no schema of JSON describes, such as that of Arrow."""
OK: Final = 200
NO_CONTENT: Final = 204
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
    status: int = 200
    """What is answered when it is done; with nothing 204, unless there is another one."""
    also: int | None = None
    """Another status with the same answer."""
    media: str | None = None
    """Of the answer, where that is not the document's."""
    takes: tuple[str, ...] = ()
    """Media types of what is sent, where those are not the document's."""
    others: tuple[str, ...] = ()
    """Media types that the answer may have beside."""


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
    kinds = (operation.media or media_type, *operation.others)
    done: dict[str, Any] = {"description": "done"}
    if operation.answer != NOTHING:
        done["content"] = {kind: _content(kind, schema) for kind in kinds}
    is_bare = operation.answer == NOTHING and operation.status == OK
    names = [_parameter(name, "path") for name in NAMES.findall(pattern)]
    found: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": "_".join([method.lower(), *WORDS.findall(pattern)]),
        "parameters": names + [_parameter(name, "query") for name in operation.query],
        "responses": {
            str(NO_CONTENT if is_bare else operation.status): done,
            "default": {"description": "refused, with the reason", "content": refusal},
        },
    }
    if operation.also is not None:
        found["responses"][str(operation.also)] = done
    if operation.body is not None:
        body, taken = _object(operation.body), operation.takes or (media_type,)
        content = {kind: _content(kind, body) for kind in taken}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _content(kind: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {} if kind.endswith(BYTES) else {"schema": schema}


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
