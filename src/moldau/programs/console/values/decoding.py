"""Keys and values that name a schema of a registry, decoded to JSON for people.

A schema is looked up once; what the registry refuses, or an answer that does not come, is asked for
again after a while. What cannot be decoded is shown as any other bytes, with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from moldau.client import ConsumerRecord
from moldau.client.errors import UnreachableError
from moldau.client.schemas import RegistryCalls
from moldau.errors import MoldauError
from moldau.platform.ports.clock import Clock
from moldau.schemas.data_errors import DataError
from moldau.schemas.framing import KEY_HEADER, VALUE_HEADER, frame_of
from moldau.schemas.parsed import Decode

__all__ = ["Reading", "Readings", "SchemaReadings"]

KEPT: Final = 1_000
LOOK_UPS_MAX: Final = 50
"""Of schemas that are not known yet, for one page."""
AGAIN_MS: Final = 10_000
FIRST_ID: Final = 1
"""What begins with five zero bytes is a number, mostly."""
HEADERS: Final = {"key": KEY_HEADER, "value": VALUE_HEADER}
SchemaName: TypeAlias = int | str
"""An id, or a GUID."""


class Reading(NamedTuple):
    """What one key or value is by its schema or a format, or the reason why that is not known."""

    schema: dict[str, Any] | None = None
    data: bytes | None = None
    reason: str | None = None
    decoded_by: str | None = None
    """The format of a user."""
    shown_as: str | None = None
    """Of `AS_IT_IS`: what it is shown as, whatever it may be."""


class _Known(NamedTuple):
    """A schema, or why there is none, until when."""

    kind: str = ""
    places: tuple[tuple[str, int], ...] = ()
    """Subjects, and their versions that have it."""
    decode: Decode | None = None
    reason: str | None = None
    until_ms: int | None = None


class Readings:
    """By the schemas that are known, without asking for any."""

    def __init__(self, known: Mapping[SchemaName, _Known]) -> None:
        self._known = known

    def of(self, record: ConsumerRecord, part: str) -> Reading | None:
        """None for what names no schema."""
        found = _framed(record, part)
        if found is None:
            return None
        name, payload = found
        known = self._known.get(name)
        if known is None:
            return Reading(_shown(name, None, record.topic, part), reason=TOO_MANY)
        schema = _shown(name, known, record.topic, part)
        if known.decode is None:
            return Reading(schema, reason=known.reason)
        try:
            return Reading(schema, _json(known.decode(payload)))
        except (MoldauError, ValueError, TypeError, RecursionError) as error:
            return Reading(schema, reason=f"it is none of its schema: {error}")


TOO_MANY: Final = f"a page looks up {LOOK_UPS_MAX} schemas at most: show it again for the next ones"


class SchemaReadings:
    """Reads records by the schemas of one registry, which are looked up once."""

    def __init__(self, calls: RegistryCalls, clock: Clock) -> None:
        self.calls = calls
        self._clock = clock
        self._known: dict[SchemaName, _Known] = {}

    async def of(self, records: Iterable[ConsumerRecord]) -> Readings:
        """With the schemas of these looked up."""
        framed = (_framed(record, part) for record in records for part in HEADERS)
        names = dict.fromkeys(one[0] for one in framed if one is not None)
        known = {name: self._known[name] for name in names if self._is_known(name)}
        missing = [name for name in names if name not in known]
        for at, name in enumerate(missing[:LOOK_UPS_MAX]):
            try:
                known[name] = await self._looked_up(name)
            except UnreachableError as error:
                until_ms = self._clock.now_ms() + AGAIN_MS
                down = _Known(reason=str(error), until_ms=until_ms)
                known |= dict.fromkeys(missing[at:], down)
                break
        self._keep(known)
        return Readings(known)

    def _is_known(self, name: SchemaName) -> bool:
        found = self._known.get(name)
        if found is None:
            return False
        return found.until_ms is None or self._clock.now_ms() < found.until_ms

    def _keep(self, known: Mapping[SchemaName, _Known]) -> None:
        if len(self._known) + len(known) > KEPT:
            self._known.clear()
        self._known.update(known)

    async def _looked_up(self, name: SchemaName) -> _Known:
        calls = self.calls
        try:
            found = await (calls.by_id(name) if isinstance(name, int) else calls.by_guid(name))
            decode = (await calls.parsed(found.schema)).decoder()
            return _Known(found.schema.kind, await self._places(name), decode)
        except UnreachableError:
            raise
        except MoldauError as error:
            return _Known(reason=str(error), until_ms=self._clock.now_ms() + AGAIN_MS)

    async def _places(self, name: SchemaName) -> tuple[tuple[str, int], ...]:
        if not isinstance(name, int):
            return ()
        found = await self.calls.call("GET", f"/schemas/ids/{name}/versions")
        return tuple((str(one["subject"]), int(one["version"])) for one in found or ())


def _framed(record: ConsumerRecord, part: str) -> tuple[SchemaName, bytes] | None:
    data = record.key if part == "key" else record.value
    if data is None:
        return None
    header = HEADERS[part]
    prefix = next((value for name, value in record.headers if name == header and value), b"")
    try:
        name, payload = frame_of(bytes(prefix) + bytes(data))
    except DataError:
        return None
    is_number = isinstance(name, int) and name < FIRST_ID
    return None if is_number else (name, payload)


def _shown(name: SchemaName, known: _Known | None, topic: str, part: str) -> dict[str, Any]:
    """With the subject that is named after the topic, where several have the schema."""
    found: dict[str, Any] = {"id": name, "type": known.kind if known else ""}
    places = known.places if known else ()
    own = [place for place in places if place[0] == f"{topic}-{part}"]
    for subject, version in (own or places)[:1]:
        found |= {"subject": subject, "version": version}
    return found


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, default=_plain).encode()


def _plain(value: Any) -> Any:  # noqa: ANN401
    """What JSON has no word for: a message of Protobuf, bytes as digits, times and decimals."""
    if hasattr(value, "DESCRIPTOR"):
        from google.protobuf.json_format import MessageToDict

        return MessageToDict(value, preserving_proto_field_name=True)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex(" ")
    return str(value)
