"""Lists of records to a topic or a partition; the media type says what keys and values are.

What came of each record stands at its place in the answer. Records that cannot be turned into bytes
refuse the request as a whole, before anything is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from moldau.errors import MoldauError
from moldau.programs.http.json_bodies import json_body
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import maybe_field, objects_of
from moldau.programs.rest.formats import WRITERS
from moldau.programs.rest.links import Json
from moldau.programs.rest.refusals import Refusal, refuse, refused
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.sending import Outcome, Record, ensure_topic, send_all
from moldau.programs.rest.v2.media import answer, format_of_body
from moldau.programs.rest.v2.topics import PARTITION, TOPIC, partition_number

__all__ = ["ProduceRoutes"]

UNPROCESSABLE: Final = 422
PARTITION_MAX: Final = 2**31


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
        write = WRITERS[format_of_body(request).upper()]
        given = objects_of(json_body(request), "records")
        if not given:
            raise HttpError(UNPROCESSABLE, "records has to have records")
        records = _records(given, write, partition)
        topic, producer = request.parameters["topic_name"], self._scope.clients.producer
        await ensure_topic(producer, topic, Refusal.TOPIC_NOT_FOUND)
        outcomes = await send_all(producer, topic, records)
        if partition is not None:
            _ensure_partition(outcomes)
        offsets = [_offset(outcome) for outcome in outcomes]
        return answer({"offsets": offsets, "key_schema_id": None, "value_schema_id": None})


# hot: most of what a record costs the proxy (bench/rest.py).
def _records(
    given: list[dict[str, Any]], write: Callable[[object], bytes], partition: int | None
) -> list[Record]:
    found = []
    for one in given:
        key, value, number = one.get("key"), one.get("value"), partition
        if number is None and "partition" in one:
            number = _number(one)
        found.append(
            Record(
                None if key is None else write(key), None if value is None else write(value), number
            )
        )
    return found


def _number(one: Mapping[str, Any]) -> int | None:
    number = maybe_field(one, "partition", int)
    if number is not None and not 0 <= number < PARTITION_MAX:
        raise HttpError(UNPROCESSABLE, f"partition is a number from 0 on, and not {number}")
    return number


def _ensure_partition(outcomes: list[Outcome]) -> None:
    """One that is in the path has to be there."""
    for outcome in outcomes:
        if isinstance(outcome, HttpError) and outcome.code == Refusal.PARTITION_NOT_FOUND:
            raise refuse(Refusal.PARTITION_NOT_FOUND, "Partition not found.")


def _offset(outcome: Outcome) -> Json:
    if isinstance(outcome, MoldauError):
        error = refused(outcome)
        return {
            "partition": None,
            "offset": None,
            "error_code": error.code,
            "error": str(error),
        }
    return {
        "partition": outcome.partition,
        "offset": outcome.offset,
        "error_code": None,
        "error": None,
    }
