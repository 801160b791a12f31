"""JSON that came and JSON that leaves.

A document that is nested deeper than any real one is refused before it is parsed: the parser would
climb down into all of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from moldau.programs.http.messages import HttpError, Request, Response

__all__ = ["ensure_shallow", "error_response", "json_body", "json_bytes", "json_response", "parsed"]

DEPTH_MAX: Final = 200
DEMANDED: Final[Mapping[int, Mapping[str, str]]] = {
    401: {"WWW-Authenticate": 'Basic realm="kafka", Bearer realm="kafka"'},
    426: {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"},
}
"""What RFC 9110 and 6455 demand beside a status; for the first one a browser asks its user."""


def json_bytes(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def json_response(value: object, media_type: str, status: int = 200) -> Response:
    return Response(json_bytes(value), status, media_type)


def error_response(error: HttpError, media_type: str) -> Response:
    body = {"error_code": error.code, "message": str(error)}
    headers = DEMANDED.get(error.status, {})
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
    depth, is_text, is_escaped = 0, False, False
    for letter in text:
        if is_text:
            is_text = is_escaped or letter != '"'
            is_escaped = letter == "\\" and not is_escaped
        elif letter == '"':
            is_text = True
        elif letter in "[{":
            depth += 1
            if depth > DEPTH_MAX:
                raise ValueError(f"it is nested more than {DEPTH_MAX} deep")
        elif letter in "]}":
            depth -= 1
