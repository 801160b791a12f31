"""JSON values one behind the other, with or without space between them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from moldau.programs.http.json_bodies import ensure_shallow
from moldau.programs.rest.refusals import bad_request

__all__ = ["json_objects"]

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_decode: Final = json.JSONDecoder().raw_decode


def json_objects(data: bytes) -> Iterator[object]:
    """Each value as it is reached; 400 where the rest is not JSON."""
    try:
        text = data.decode()
        position = _SPACE.match(text).end()  # type: ignore[union-attr]  # it always matches
        while position < len(text):
            value, end = _decode(text, position)
            ensure_shallow(text[position:end])
            yield value
            position = _SPACE.match(text, end).end()  # type: ignore[union-attr]
    except (ValueError, RecursionError) as error:
        raise bad_request(f"the body is not JSON: {error}") from None
