"""Lists of records to a topic or a partition; the media type is that of keys and values.

What came of each record stands at its place in the answer. Records that cannot be turned into bytes
refuse the request as a whole, before anything is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from moldau.errors import MoldauError
from moldau.programs.http.json_bodies import json_text
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import ensure_known, maybe_field, objects_of
from moldau.programs.rest.formats import WRITERS
from moldau.programs.rest.refusals import Refusal, bad_data, refuse, refused, unprocessable
from moldau.programs.rest.schemas import KIND_OF, Wanted, Writer
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.sending import Outcome, Record, ensure_topic, send_all
from moldau.programs.rest.v2.media import V2, format_of_body, some_json
from moldau.programs.rest.v2.topics import PARTITION, TOPIC, partition_number
from moldau.schemas.data_errors import DataError

__all__ = ["ProduceRoutes"]

PARTITION_MAX: Final = 2**31
MISSING: Final = {"key": Refusal.MISSING_KEY_SCHEMA, "value": Refusal.MISSING_VALUE_SCHEMA}
SCHEMAS: Final = ("key_schema", "key_schema_id", "value_schema", "value_schema_id")
BODY: Final = frozenset(("records", *SCHEMAS))
FIELDS: Final = frozenset(("key", "value", "partition"))
"""Of a record."""
Write: TypeAlias = Callable[[object], bytes]


class ProduceRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        return [
            Route("POST", TOPIC, self.to_topic),
            Route("POST", PARTITION, self.to_partition),
        ]

    async def to_topic(self, request: Request) -> Response:
        return await self._send(request, None)

    async def to_partition(self, request: Request) -> Response:
        return await self._send(request, partition_number(request))

    async def _send(self, request: Request, partition: int | None) -> Response:
        data_format = format_of_body(request).upper()
        body = _body(request)
        given = objects_of(body, "records", may_lack=True)
        if not given:
            raise unprocessable("records must not be empty")
        topic, producer = request.parameters["topic_name"], self._scope.clients.producer
        key, value = None, None
        if data_format in KIND_OF:
            await ensure_topic(producer, topic, Refusal.TOPIC_NOT_FOUND)
            key = await self._writer(body, given, "key", (topic, KIND_OF[data_format]))
            value = await self._writer(body, given, "value", (topic, KIND_OF[data_format]))
        records = _records(
            given, _write(data_format, key, "key"), _write(data_format, value, "value"), partition
        )
        await ensure_topic(producer, topic, Refusal.TOPIC_NOT_FOUND)
        outcomes = await send_all(producer, topic, records)
        if partition is not None:
            _ensure_partition(outcomes)
        return _answer(outcomes, _id(key), _id(value))

    async def _writer(
        self,
        body: Mapping[str, Any],
        given: list[dict[str, Any]],
        part: str,
        where: tuple[str, str],
    ) -> Writer | None:
        """By the schema that the body names; None where no record has a key, or a value."""
        number = maybe_field(body, f"{part}_schema_id", int)
        text = maybe_field(body, f"{part}_schema", str)
        if all(one.get(part) is None for one in given):
            return None
        if number is None and text is None:
            message = f"records have a {part}, so {part}_schema or {part}_schema_id is needed"
            raise refuse(MISSING[part], message)
        topic, kind = where
        text = text if number is None else None
        return await self._scope.schemas.writer(Wanted(topic, part == "key", kind, text, number))


def _body(request: Request) -> dict[str, Any]:
    body = some_json(request)
    ensure_known(body, BODY)
    return body


# hot: most of what a record costs the proxy (bench/rest.py).
def _records(
    given: list[dict[str, Any]], write_key: Write, write_value: Write, partition: int | None
) -> list[Record]:
    found: list[Record] = []
    try:
        for one in given:
            if not one.keys() <= FIELDS:
                ensure_known(one, FIELDS)
            key, value, number = one.get("key"), one.get("value"), partition
            if number is None and "partition" in one:
                number = _number(one)
            found.append(
                Record(
                    None if key is None else write_key(key),
                    None if value is None else write_value(value),
                    number,
                )
            )
    except DataError as error:
        raise bad_data(f"records.{len(found)}.{error}") from None
    return found


def _write(data_format: str, writer: Writer | None, part: str) -> Write:
    """By the schema where the format has one; without a schema there is nothing to write."""
    if writer is None:
        return WRITERS.get(data_format, WRITERS["JSON"])
    write = writer.write

    def by_schema(data: object) -> bytes:
        try:
            return write(data)
        except DataError as error:
            raise error.under(part) from None

    return by_schema


def _id(writer: Writer | None) -> int | None:
    return None if writer is None else writer.schema.id


def _number(one: Mapping[str, Any]) -> int | None:
    number = maybe_field(one, "partition", int)
    if number is not None and not 0 <= number < PARTITION_MAX:
        raise unprocessable(f"partition must be greater than or equal to 0, and is {number}")
    return number


def _ensure_partition(outcomes: list[Outcome]) -> None:
    """One that is in the path has to be there."""
    for outcome in outcomes:
        if isinstance(outcome, HttpError) and outcome.code == Refusal.PARTITION_NOT_FOUND:
            raise refuse(Refusal.PARTITION_NOT_FOUND, "Partition not found.")


# hot: text at once, where a dictionary for each record would cost twice as much.
def _answer(outcomes: list[Outcome], key_id: int | None, value_id: int | None) -> Response:
    offsets = ",".join(map(_offset, outcomes))
    ids = f'"key_schema_id":{json_text(key_id)},"value_schema_id":{json_text(value_id)}'
    return Response(f'{{"offsets":[{offsets}],{ids}}}'.encode(), media_type=V2)


def _offset(outcome: Outcome) -> str:
    if isinstance(outcome, MoldauError):
        error = refused(outcome)
        text = json_text(str(error))
        return f'{{"partition":null,"offset":null,"error_code":{error.code},"error":{text}}}'
    _, partition, offset, _ = outcome
    return f'{{"partition":{partition},"offset":{offset},"error_code":null,"error":null}}'
