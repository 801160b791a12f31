"""What a form or an address brings, looked at before any cluster is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from moldau.programs.console.api.refusals import no_such
from moldau.programs.http.json_bodies import json_body
from moldau.programs.http.messages import HttpError, Request
from moldau.programs.rest.bodies import MEDIA_TYPE
from moldau.programs.rest.refusals import bad_request

__all__ = ["broker_in_path", "form_of", "whole_number"]

DATA: Final = ("key", "value", "schema")
"""Fields that may be as long as a body may be."""
TEXT_BYTES_MAX: Final = 2**15 - 1
"""Of a text in Kafka's protocol."""
BROKER_MAX: Final = 2**31 - 1
LARGEST: Final[Mapping[str, int]] = {
    "partition": 2**31 - 1,
    "partitions": 2**31 - 1,
    "replication_factor": 2**15 - 1,
    "version": 2**31 - 1,
}
"""For these Kafka's protocol has fewer than 64 bits."""


def form_of(request: Request) -> dict[str, Any]:
    """The object of the body, all of which can be sent on."""
    if request.media_type not in ("", MEDIA_TYPE):
        raise HttpError(415, f"Send the form as {MEDIA_TYPE}")
    found = json_body(request)
    _ensure_writable(found)
    for name, value in found.items():
        if name not in DATA:
            _ensure_short(name, value)
        largest = LARGEST.get(name)
        if largest is not None and type(value) is int and abs(value) > largest:
            raise bad_request(f"{name} is {largest} at most")
    return found


def whole_number(request: Request, name: str, default: int, most: int, least: int = 1) -> int:
    """Of the query, within these bounds."""
    text = request.one(name)
    if not text:
        return default
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
    if not is_number or not least <= int(text) <= most:
        raise bad_request(f"{name} is a number from {least} to {most}")
    return int(text)


def broker_in_path(request: Request) -> int:
    """404 where it is no number: then there is no such broker."""
    text = request.parameters["broker"]
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(BROKER_MAX))
    if not is_number or int(text) > BROKER_MAX:
        raise no_such("broker", text)
    return int(text)


def _ensure_writable(found: dict[str, Any]) -> None:
    """JSON can write half of a letter, which no UTF-8 has; Python also reads NaN and 1e999."""
    try:
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise bad_request("a text has half of a surrogate pair: write the whole letter") from None
    except ValueError:
        raise bad_request("a number is infinite or none: give one that can be written") from None


def _ensure_short(name: str, value: object) -> None:
    for text in _texts(value):
        size = len(text.encode())
        if size > TEXT_BYTES_MAX:
            raise bad_request(f"{name} has {size} bytes: Kafka takes {TEXT_BYTES_MAX} at most")


def _texts(value: object) -> Iterator[str]:
    """In it at any depth, names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        yield from value
        yield from _texts(list(value.values()))
