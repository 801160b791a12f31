"""From a record as a request of v3 has it to its report: what all ways of sending share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from moldau.client.errors import UnknownTopicError
from moldau.errors import MoldauError
from moldau.programs.http.json_bodies import parsed
from moldau.programs.http.messages import HttpError, Request
from moldau.programs.rest.bodies import field_of, maybe_field, objects_of
from moldau.programs.rest.formats import base64_bytes
from moldau.programs.rest.links import Json
from moldau.programs.rest.refusals import Refusal, bad_request, refuse, refused
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.sending import Outcome, Record, ensure_topic, send_all
from moldau.programs.rest.times import iso_time, time_ms
from moldau.programs.rest.v3.parts import part_bytes

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FIELDS", "Prepared", "Producing", "report_of"]

PARTITION_MAX: Final = 2**31
UNPROCESSABLE: Final = 422
FIELDS: Final = frozenset(("id", "partition_id", "headers", "key", "value", "timestamp"))
"""Of a record; the `id` is that of an entry of a batch."""
HEADER: Final = frozenset(("name", "value"))


class Prepared(NamedTuple):
    """A record, or why it is none, and what its report repeats."""

    record: Record | MoldauError
    sizes: Mapping[str, Json]
    is_last: bool = False
    """Where the next one begins is not known."""


class Producing:
    """Produces the records of a proxy's requests."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def topic(self, request: Request) -> str:
        """The one in the path; 404 where there is none."""
        await self._scope.links(request)
        topic = request.parameters["topic_name"]
        producer = self._scope.clients.producer
        await ensure_topic(producer, topic, Refusal.UNKNOWN_TOPIC_OR_PARTITION)
        return topic

    async def reports(self, topic: str, messages: Iterable[str | bytes]) -> list[Json]:
        """Of records that come one by one, each as JSON."""
        return await self.sent(topic, [await self._read(topic, one) for one in messages])

    async def prepared(self, topic: str, given: dict[str, Any]) -> Prepared:
        sizes: dict[str, Json] = {}
        schemas = self._scope.schemas
        try:
            if not given.keys() <= FIELDS:
                raise _unrecognized(given.keys() - FIELDS)
            record = Record(
                await part_bytes(schemas, topic, given, "key", sizes),
                await part_bytes(schemas, topic, given, "value", sizes),
                _partition(given),
                None if given.get("timestamp") is None else time_ms(given["timestamp"]),
                _headers(given),
            )
        except HttpError as error:
            return Prepared(error, {})
        return Prepared(record, sizes)

    async def sent(self, topic: str, run: Iterable[Prepared]) -> list[Json]:
        prepared = list(run)
        producer = self._scope.clients.producer
        outcomes = await send_all(producer, topic, [one.record for one in prepared])
        cluster_id = await self._scope.clients.cluster_id()
        return [
            report_of(cluster_id, one.sizes, outcome)
            for one, outcome in zip(prepared, outcomes, strict=True)
        ]

    async def send_table(self, topic: str, table: pa.Table) -> int:
        """How many rows have arrived, which are all; otherwise the error of the first batch."""
        try:
            return await (await self._scope.clients.producer.send_arrow(topic, table))
        except UnknownTopicError as error:  # the topic is there
            raise refuse(Refusal.PARTITION_NOT_FOUND, str(error)) from None

    async def _read(self, topic: str, message: str | bytes) -> Prepared:
        try:
            if isinstance(message, bytes):
                raise bad_request("a record is a message of text, in JSON")
            given = parsed(message.encode())
            if not isinstance(given, dict):
                raise bad_request("a record is a JSON object")
        except HttpError as error:
            return Prepared(error, {})
        return await self.prepared(topic, given)


def _partition(given: Mapping[str, Any]) -> int | None:
    if "partition_id" not in given:
        return None
    partition = maybe_field(given, "partition_id", int)
    if partition is not None and not 0 <= partition < PARTITION_MAX:
        raise refuse(Refusal.PARTITION_NOT_FOUND, "Partition not found.")
    return partition


def _headers(given: Mapping[str, Any]) -> tuple[tuple[str, bytes | None], ...]:
    if "headers" not in given:
        return ()
    return tuple(_header(one) for one in objects_of(given, "headers", may_lack=True))


def _header(one: Mapping[str, Any]) -> tuple[str, bytes | None]:
    if not one.keys() <= HEADER:
        raise _unrecognized(one.keys() - HEADER)
    value = one.get("value")
    return field_of(one, "name", str), None if value is None else base64_bytes(value)


def _unrecognized(names: Iterable[str]) -> HttpError:
    return bad_request(f'Unrecognized field "{min(names)}"')


def _refusal_of(error: HttpError) -> Json:
    """As Confluent's proxy has it in reports: codes of 422 are in the text."""
    if error.status == UNPROCESSABLE and error.code != UNPROCESSABLE:
        return {"error_code": UNPROCESSABLE, "message": f"Error: {error.code} : {error}"}
    return {"error_code": error.code, "message": str(error)}


def report_of(cluster_id: str, sizes: Mapping[str, Json], outcome: Outcome) -> Json:
    if isinstance(outcome, MoldauError):
        return _refusal_of(refused(outcome))
    return {
        "error_code": 200,
        "cluster_id": cluster_id,
        "topic_name": outcome.topic,
        "partition_id": outcome.partition,
        "offset": outcome.offset,
        "timestamp": iso_time(outcome.timestamp),
        **sizes,
    }
