"""Keys, values and headers of a record that is to be sent, from the text of a form to bytes.

JSON is checked and written without the space between its tokens; the tokens themselves stay as they
were typed, so that numbers keep all their digits. By a schema means by the latest version of a
subject in the registry, whose id stands in front, as serializers write it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from moldau.programs.console.changes.change import Given
from moldau.programs.console.cluster.subjects import registry_of
from moldau.programs.console.formats.called import FormatError
from moldau.programs.console.formats.offered import Formats
from moldau.programs.console.formats.plain import PLAIN
from moldau.programs.console.reach import Reach
from moldau.programs.console.values import messagepack
from moldau.programs.http.json_bodies import ensure_shallow
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request
from moldau.schemas.data_errors import DataError
from moldau.schemas.framing import id_frame

__all__ = ["FORMATS", "given_data", "given_header"]

SCHEMA: Final = "schema"
SPACE: Final = re.compile(r'("(?:[^"\\]|\\.)*")|[ \t\r\n]+')
"""Of valid JSON: its texts, and the space between tokens."""


def _json(text: str) -> Any:  # noqa: ANN401  # any JSON
    ensure_shallow(text)
    return json.loads(text, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"JSON has no {name}")


def _compact(text: str) -> bytes:
    _json(text)
    return SPACE.sub(lambda found: found[1] or "", text).encode()


WRITERS: Final[Mapping[str, Callable[[str], bytes]]] = {
    "text": str.encode,
    "json": _compact,
    "msgpack": lambda text: messagepack.encoded(_json(text)),
    "hex": bytes.fromhex,
    **{name: one.encode for name, one in PLAIN.items()},
}
FORMATS: Final = (*WRITERS, SCHEMA)


async def given_data(reach: Reach, given: Given, name: str) -> bytes | None:
    """The key or the value, in the format that is named with it; text unless one is."""
    text = maybe_field(given, name, str)
    kind = maybe_field(given, f"{name}_format", str) or "text"
    formats = reach.settings.formats
    if formats.encodes(kind, name):
        return await _by_format(formats, given, name, kind)
    if kind not in FORMATS:
        known = [*FORMATS, *(one.name for one in formats.offers if formats.encodes(one.name, name))]
        raise bad_request(f"{name}_format is one of {', '.join(known)}")
    if text is None:
        return None
    if kind != SCHEMA:
        return _written(text, kind, name)
    subject = (
        maybe_field(given, f"{name}_subject", str) or f"{field_of(given, 'topic', str)}-{name}"
    )
    return await _by_schema(reach, text, name, subject)


async def _by_format(formats: Formats, given: Given, name: str, kind: str) -> bytes | None:
    """By the function of a user."""
    text = maybe_field(given, name, str)
    if text is None:
        return None
    try:
        return await formats.encoded(kind, field_of(given, "topic", str), text)
    except FormatError as error:
        raise bad_request(str(error)) from None


def given_header(given: Given) -> tuple[str, bytes | None]:
    """Its value may be null, and be in each format but that of a schema."""
    name, text = field_of(given, "name", str), maybe_field(given, "value", str)
    kind = maybe_field(given, "format", str) or "text"
    if kind not in WRITERS:
        raise bad_request(f"the format of a header is one of {', '.join(WRITERS)}")
    return name, None if text is None else _written(text, kind, f"header {name}")


def _written(text: str, kind: str, name: str) -> bytes:
    try:
        return WRITERS[kind](text)
    except (ValueError, RecursionError) as error:
        raise bad_request(f"the {name} is not {kind}: {error}") from None


async def _by_schema(reach: Reach, text: str, name: str, subject: str) -> bytes:
    calls = registry_of(reach)
    found = await calls.version(subject)
    encode = (await calls.parsed(found.schema)).json_encoder()
    try:
        payload, indexes = encode(_json(text))
    except DataError as error:
        whose = f"{subject} version {found.version}"
        raise bad_request(f"the {name} is none of the schema {whose}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise bad_request(f"the {name} is not JSON: {error}") from None
    return id_frame(found.id) + indexes + payload
