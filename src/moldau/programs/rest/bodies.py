"""What requests bring, looked at before it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from moldau.programs.http.json_bodies import json_body, json_response
from moldau.programs.http.messages import DIGITS_MAX, HttpError, Request, Response
from moldau.programs.rest.refusals import Refusal, absent, bad_request, refuse, unprocessable

__all__ = [
    "MEDIA_TYPE",
    "created",
    "ensure_known",
    "field_of",
    "maybe_field",
    "nothing",
    "number_in_path",
    "object_body",
    "objects_of",
    "reply",
]

MEDIA_TYPE: Final = "application/json"
Kind = TypeVar("Kind")
WORDS: Final[Mapping[type, str]] = {
    str: "text",
    int: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}
NUMBER_MAX: Final = 2**63


def reply(value: object, status: int = 200) -> Response:
    return json_response(value, MEDIA_TYPE, status)


def nothing(status: int = 204) -> Response:
    return Response(status=status)


def created(url: str) -> Response:
    """Without a body: the path is the whole request."""
    return Response(status=201, headers={"Location": url})


def object_body(request: Request) -> dict[str, Any]:
    """The JSON object of the body; 415 for what has another media type, 42206 for nothing."""
    if request.media_type not in ("", MEDIA_TYPE):
        raise HttpError(415, "HTTP 415 Unsupported Media Type")
    if not request.body.strip():
        text = "Payload error. Null input provided. Data is required."
        raise refuse(Refusal.INVALID_PAYLOAD, text)
    return json_body(request)


def maybe_field(body: Mapping[str, Any], name: str, kind: type[Kind]) -> Kind | None:
    """A field that may be absent or null, and is of its type otherwise."""
    value: Any = body.get(name)
    if value is None:
        return None
    is_one = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if not is_one or (isinstance(value, int) and abs(value) >= NUMBER_MAX):
        raise bad_request(f"{name} has to be {WORDS[kind]}")
    found: Kind = value
    return found


def ensure_known(body: Mapping[str, Any], names: frozenset[str]) -> None:
    """422 for another field: it would be left out silently."""
    if not body.keys() <= names:
        raise unprocessable(f"Unrecognized field: {min(body.keys() - names)}")


def field_of(body: Mapping[str, Any], name: str, kind: type[Kind]) -> Kind:
    value = maybe_field(body, name, kind)
    if value is None:
        raise bad_request(f"{name} is missing")
    return value


def objects_of(
    body: Mapping[str, Any], name: str, *, may_lack: bool = False
) -> list[dict[str, Any]]:
    """A list of objects."""
    found = (maybe_field(body, name, list) or []) if may_lack else field_of(body, name, list)
    if not all(isinstance(one, dict) for one in found):
        raise bad_request(f"{name} has to be a list of objects")
    return found


def number_in_path(request: Request, name: str, what: str) -> int:
    """404 where it is no number: then there is no such thing."""
    text = request.parameters[name]
    is_number = text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
    if not is_number or int(text) >= 2**31:
        raise absent(f"{what} {text}")
    return int(text)
