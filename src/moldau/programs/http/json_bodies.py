"""JSON that came and JSON that leaves.

A document that is nested deeper than any real one is refused before it is parsed: the parser would
climb down into all of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import Any, Final

from moldau.programs.http.messages import ALLOW, HttpError, MethodError, Request, Response

__all__ = [
    "compact_encoder",
    "ensure_shallow",
    "error_response",
    "json_body",
    "json_bytes",
    "json_response",
    "json_text",
    "parsed",
]

DEPTH_MAX: Final = 200
STEPS: Final[Mapping[int, int]] = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
OTHERS: Final = bytes(byte for byte in range(256) if byte not in STEPS)
DEMANDED: Final[Mapping[int, Mapping[str, str]]] = {
    401: {"WWW-Authenticate": 'Basic realm="kafka", Bearer realm="kafka"'},
    426: {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"},
}
"""What RFC 9110 and 6455 demand beside a status; for the first one a browser asks its user."""


def compact_encoder() -> Callable[[Any], str]:
    """Python makes its encoder anew for each value; where it can be kept, a small one costs half.

    No value that comes here holds itself.
    """
    python = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
    kept = getattr(json.encoder, "c_make_encoder", None)
    if kept is None:  # in other Pythons
        return python.encode
    text_of = json.encoder.encode_basestring
    pieces: Callable[[Any, int], Iterable[str]] = kept(
        None, python.default, text_of, None, ":", ",", False, False, True
    )

    def encode(value: object) -> str:
        if type(value) is str:  # as most keys of records are
            return text_of(value)
        return "".join(pieces(value, 0))

    return encode


json_text: Final = compact_encoder()
"""Compact, with letters as they are."""


def json_bytes(value: object) -> bytes:
    return json_text(value).encode()


def json_response(value: object, media_type: str, status: int = 200) -> Response:
    return Response(json_bytes(value), status, media_type)


def error_response(error: HttpError, media_type: str) -> Response:
    body = {"error_code": error.code, "message": str(error)}
    headers = DEMANDED.get(error.status, {})
    if isinstance(error, MethodError):
        headers = {ALLOW: error.allowed}
    return Response(json_bytes(body), error.status, media_type, headers)


def json_body(request: Request, code: int = 400) -> dict[str, Any]:
    """The object in the body, or 400."""
    value = parsed(request.body, code)
    if not isinstance(value, dict):
        raise HttpError(400, "the body is no JSON object", code)
    return value


def parsed(data: bytes, code: int = 400) -> object:
    try:
        text = data.decode()
        ensure_shallow(text)
        found: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise HttpError(400, f"the body is not JSON: {error}", code) from None
    return found


def ensure_shallow(text: str) -> None:
    """`ValueError` for what is nested too deep; quick for nearly all that comes."""
    if text.count("[") + text.count("{") <= DEPTH_MAX:
        return
    if "\\" in text:
        text = text.replace("\\\\", "").replace('\\"', "")
    outside = "".join(text.split('"')[::2])  # of all quotes
    brackets = outside.encode().translate(None, OTHERS)
    if max(accumulate(STEPS[byte] for byte in brackets), default=0) > DEPTH_MAX:
        raise ValueError(f"it is nested more than {DEPTH_MAX} deep")
