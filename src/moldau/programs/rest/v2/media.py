"""Media types of version 2, which name the format of keys and values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.programs.http.json_bodies import json_body, json_response
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.rest.refusals import Refusal, refuse, unprocessable

__all__ = [
    "FORMATS",
    "V2",
    "WITHOUT_FORMAT",
    "answer",
    "body_of",
    "format_of_body",
    "media_of",
    "some_json",
    "wanted_format",
]

V2: Final = "application/vnd.kafka.v2+json"
WITHOUT_FORMAT: Final = ("", V2, "application/vnd.kafka+json", "application/json")
FORMATS: Final = ("binary", "json", "avro", "jsonschema", "protobuf")
BY_MEDIA: Final[Mapping[str, str]] = {
    f"application/vnd.kafka.{name}.v2+json": name for name in FORMATS
}
NOTHING: Final = (b"", b"null")
ANY: Final = ("*/*", "application/*", "application/octet-stream")
MISMATCH: Final = "The requested embedded data format does not match the format of the consumer"


def media_of(name: str) -> str:
    return f"application/vnd.kafka.{name}.v2+json"


def answer(value: object, media_type: str = V2) -> Response:
    return json_response(value, media_type)


def body_of(request: Request) -> dict[str, Any]:
    """The object in a body without records; 415 for another media type, 422 for nothing."""
    if request.media_type not in WITHOUT_FORMAT:
        raise HttpError(415, "HTTP 415 Unsupported Media Type")
    return some_json(request)


def some_json(request: Request) -> dict[str, Any]:
    if request.body.strip() in NOTHING:
        raise unprocessable("the request body must not be null")
    return json_body(request)


def format_of_body(request: Request) -> str:
    """The format of the records in a body; without a media type it is binary."""
    media = request.media_type
    if media in WITHOUT_FORMAT:
        return FORMATS[0]
    if media not in BY_MEDIA:
        raise HttpError(415, "HTTP 415 Unsupported Media Type")
    return BY_MEDIA[media]


def wanted_format(request: Request, own: str) -> None:
    """Refuse where every format that is accepted is another one than a consumer has."""
    accepted = request.headers.get("accept", "*/*")
    names = {part.partition(";")[0].strip().lower() for part in accepted.split(",")}
    if not names & {*ANY, *WITHOUT_FORMAT, media_of(own)}:
        if names & set(BY_MEDIA):
            raise refuse(Refusal.FORMAT_MISMATCH, f"{MISMATCH}, which is {own}")
        raise HttpError(406, "HTTP 406 Not Acceptable")
