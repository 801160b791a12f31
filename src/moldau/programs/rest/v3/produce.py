"""Records of v3: any number of JSON objects in one request, and a report for each, in their order.

    {"key": {"type": "STRING", "data": "k"}, "value": {"type": "JSON", "data": {"a": 1}}}

A body in chunks may go on for as long as its client likes: records are sent as they come, and
reported as they arrive. The response is 200 as soon as the first one is looked at; what came of
each is in its report. What is no JSON ends the request: where the next object begins is not known
any more.
`records:batch` takes a list of entries with ids of the caller's, and answers with those that
arrived and those that did not.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from moldau.errors import MoldauError
from moldau.programs.http.json_bodies import json_bytes
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import (
    MEDIA_TYPE,
    field_of,
    maybe_field,
    object_body,
    objects_of,
    reply,
)
from moldau.programs.rest.formats import base64_bytes
from moldau.programs.rest.json_stream import JsonStream
from moldau.programs.rest.links import Json
from moldau.programs.rest.refusals import Refusal, bad_request, refused
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.sending import Outcome, Record, ensure_topic, send_all
from moldau.programs.rest.times import iso_time, time_ms
from moldau.programs.rest.v3.parts import part_bytes
from moldau.programs.rest.v3.topics import TOPIC

__all__ = ["ProduceRoutes", "is_streamed"]

RUN: Final = 500
"""Records that are sent before the first of them is reported."""
PARTITION_MAX: Final = 2**31
ENTRIES_MAX: Final = 10_000


class _Prepared(NamedTuple):
    """A record, or why it is none, and what its report repeats."""

    record: Record | MoldauError
    sizes: Mapping[str, Json]
    is_last: bool = False
    """Where the next one begins is not known."""


class ProduceRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        return [
            Route("POST", f"{TOPIC}/records", self.stream),
            Route("POST", f"{TOPIC}/records:batch", self.batch),
        ]

    async def stream(self, request: Request) -> Response:
        topic = await self._topic(request)
        if request.media_type not in ("", MEDIA_TYPE):
            raise HttpError(415, "HTTP 415 Unsupported Media Type")
        return Response(media_type=MEDIA_TYPE, pieces=self._reports(topic, request))

    async def batch(self, request: Request) -> Response:
        topic = await self._topic(request)
        entries = objects_of(object_body(request), "entries")
        if not 0 < len(entries) <= ENTRIES_MAX:
            raise bad_request(f"entries has 1 to {ENTRIES_MAX} records")
        ids = [field_of(entry, "id", str) for entry in entries]
        if len(set(ids)) < len(ids):
            raise bad_request("each id of entries may be there once")
        reports = await self._sent(topic, [await self._prepared(topic, entry) for entry in entries])
        named = [{"id": one, **report} for one, report in zip(ids, reports, strict=True)]
        body = {
            "successes": [one for one in named if one["error_code"] == 200],
            "failures": [one for one in named if one["error_code"] != 200],
        }
        return reply(body, 207)

    async def _topic(self, request: Request) -> str:
        await self._scope.links(request)
        topic = request.parameters["topic_name"]
        producer = self._scope.clients.producer
        await ensure_topic(producer, topic, Refusal.UNKNOWN_TOPIC_OR_PARTITION)
        return topic

    async def _reports(self, topic: str, request: Request) -> AsyncIterator[bytes]:
        """As the records come; what has arrived is reported before more is read."""
        stream = JsonStream()
        async for piece in _body(request):
            objects = stream.feed(piece)
            while run := await self._run(topic, objects):
                for report in await self._sent(topic, run):
                    yield json_bytes(report) + b"\r\n"
                if run[-1].is_last:
                    return
        try:
            stream.finish()
        except HttpError as error:
            yield json_bytes(_report("", {}, error)) + b"\r\n"

    async def _run(self, topic: str, objects: Iterator[dict[str, Any]]) -> list[_Prepared]:
        """The next few records; an object that cannot be read is the last one."""
        run: list[_Prepared] = []
        try:
            for found in islice(objects, RUN):
                run.append(await self._prepared(topic, found))  # noqa: PERF401  # kept on errors
        except HttpError as error:
            run.append(_Prepared(error, {}, is_last=True))
        return run

    async def _prepared(self, topic: str, given: dict[str, Any]) -> _Prepared:
        sizes: dict[str, Json] = {}
        schemas = self._scope.schemas
        try:
            record = Record(
                await part_bytes(schemas, topic, given, "key", sizes),
                await part_bytes(schemas, topic, given, "value", sizes),
                _partition(given),
                None if given.get("timestamp") is None else time_ms(given["timestamp"]),
                tuple(_header(one) for one in objects_of(given, "headers", may_lack=True)),
            )
        except HttpError as error:
            return _Prepared(error, {})
        return _Prepared(record, sizes)

    async def _sent(self, topic: str, run: Iterable[_Prepared]) -> list[Json]:
        prepared = list(run)
        producer = self._scope.clients.producer
        outcomes = await send_all(producer, topic, [one.record for one in prepared])
        cluster_id = await self._scope.clients.cluster_id()
        return [
            _report(cluster_id, one.sizes, outcome)
            for one, outcome in zip(prepared, outcomes, strict=True)
        ]


def is_streamed(request: Request) -> bool:
    """Whether its body is taken as it comes."""
    return request.method == "POST" and request.path.endswith("/records")


async def _body(request: Request) -> AsyncIterator[bytes]:
    """Piece by piece where it is sent so."""
    if request.stream is None:
        yield request.body
        return
    async for piece in request.stream:
        yield piece


def _partition(given: Mapping[str, Any]) -> int | None:
    partition = maybe_field(given, "partition_id", int)
    if partition is not None and not 0 <= partition < PARTITION_MAX:
        raise bad_request(f"partition_id is a number from 0 on, and not {partition}")
    return partition


def _header(one: Mapping[str, Any]) -> tuple[str, bytes | None]:
    value = one.get("value")
    return field_of(one, "name", str), None if value is None else base64_bytes(value)


def _report(cluster_id: str, sizes: Mapping[str, Json], outcome: Outcome) -> Json:
    if isinstance(outcome, MoldauError):
        error = refused(outcome)
        return {"error_code": error.code, "message": str(error)}
    return {
        "error_code": 200,
        "cluster_id": cluster_id,
        "topic_name": outcome.topic,
        "partition_id": outcome.partition,
        "offset": outcome.offset,
        "timestamp": iso_time(outcome.timestamp),
        **sizes,
    }
