"""Records of v3: any number of JSON objects in one request, and a report for each, in their order.

    {"key": {"type": "STRING", "data": "k"}, "value": {"type": "JSON", "data": {"a": 1}}}

A body in chunks may go on for as long as its client likes: records are sent as they come, and
reported as they arrive. The response is 200 as soon as the first one is looked at; what came of
each is in its report. What is no JSON ends the request: where the next object begins is not known
any more. A stream of Arrow is taken whole, and has one report.
`records:batch` takes a list of entries with ids of the caller's, and answers with those that
arrived and those that did not.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from moldau.programs.http.json_bodies import json_bytes
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import (
    MEDIA_TYPE,
    ensure_known,
    object_body,
    objects_of,
    reply,
)
from moldau.programs.rest.json_stream import JsonStream
from moldau.programs.rest.refusals import Refusal, refuse
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.columns import ARROW, ensure_arrow, table_of
from moldau.programs.rest.v3.producing import FIELDS, Prepared, Producing, report_of
from moldau.programs.rest.v3.topics import TOPIC

__all__ = ["ProduceRoutes", "is_streamed"]

RUN: Final = 500
"""Records that are sent before the first of them is reported."""
ENTRIES_MAX: Final = 10_000
UNSUPPORTED: Final = 415
BATCH: Final = frozenset(("entries",))
ENTRY_ID: Final = re.compile("[0-9a-zA-Z_-]{1,80}")
EMPTY_BODY: Final = "Request body is empty. Data is required."


class ProduceRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._producing = Producing(scope)

    def routes(self) -> list[Route]:
        return [
            Route("POST", f"{TOPIC}/records", self.stream),
            Route("POST", f"{TOPIC}/records:batch", self.batch),
        ]

    async def stream(self, request: Request) -> Response:
        topic = await self._producing.topic(request)
        if request.media_type == ARROW:
            return await self._columns(topic, request)
        if request.media_type not in ("", MEDIA_TYPE):
            raise HttpError(415, "HTTP 415 Unsupported Media Type")
        if request.stream is None and not request.body.strip():
            raise refuse(Refusal.INVALID_PAYLOAD, f"Payload error. {EMPTY_BODY}")
        return Response(media_type=MEDIA_TYPE, pieces=self._reports(topic, request))

    async def batch(self, request: Request) -> Response:
        topic = await self._producing.topic(request)
        if not request.body.strip():
            raise refuse(Refusal.INVALID_BATCH, EMPTY_BODY)
        body = object_body(request)
        ensure_known(body, BATCH)
        entries = objects_of(body, "entries")
        ids = [_id_of(entry) for entry in entries]
        if len(set(ids)) < len(ids):
            raise refuse(Refusal.INVALID_BATCH, "Batch entry IDs are not distinct.")
        if not entries:
            raise refuse(Refusal.INVALID_BATCH, "Empty batch.")
        if len(entries) > ENTRIES_MAX:
            raise refuse(Refusal.INVALID_BATCH, f"Too many entries in batch: {len(entries)}")
        reports = await self._producing.sent(
            topic, [await self._producing.prepared(topic, entry) for entry in entries]
        )
        named = [{"id": one, **report} for one, report in zip(ids, reports, strict=True)]
        answer = {
            "successes": [one for one in named if one["error_code"] == 200],
            "failures": [one for one in named if one["error_code"] != 200],
        }
        return reply(answer, 207)

    async def _columns(self, topic: str, request: Request) -> Response:
        """One report for all rows."""
        ensure_arrow(UNSUPPORTED)
        count = await self._producing.send_table(topic, table_of(request.body))
        return reply({"error_code": 200, "topic_name": topic, "records_count": count})

    async def _reports(self, topic: str, request: Request) -> AsyncIterator[bytes]:
        """As the records come; what has arrived is reported before more is read."""
        stream = JsonStream()
        async for piece in _body(request):
            objects = stream.feed(piece)
            while run := await self._run(topic, objects):
                reports = await self._producing.sent(topic, run)
                yield b"".join([json_bytes(report) + b"\r\n" for report in reports])
                if run[-1].is_last:
                    return
        try:
            stream.finish()
        except HttpError as error:
            yield json_bytes(report_of("", {}, error)) + b"\r\n"

    async def _run(self, topic: str, objects: Iterator[dict[str, Any]]) -> list[Prepared]:
        """The next few records; an object that cannot be read is the last one."""
        run: list[Prepared] = []
        prepared = self._producing.prepared
        try:
            for found in islice(objects, RUN):
                run.append(await prepared(topic, found))  # noqa: PERF401  # kept on errors
        except HttpError as error:
            run.append(Prepared(error, {}, is_last=True))
        return run


def _id_of(entry: Mapping[str, Any]) -> str:
    """As it is repeated in the answer."""
    ensure_known(entry, FIELDS)
    name = entry.get("id")
    if not isinstance(name, str) or not ENTRY_ID.fullmatch(name):
        raise refuse(Refusal.INVALID_BATCH, "Batch entry identifier is not a valid string.")
    return name


def is_streamed(request: Request) -> bool:
    """Whether its body is taken as it comes."""
    is_records = request.method == "POST" and request.path.endswith("/records")
    return is_records and request.media_type != ARROW


async def _body(request: Request) -> AsyncIterator[bytes]:
    """Piece by piece where it is sent so."""
    if request.stream is None:
        yield request.body
        return
    async for piece in request.stream:
        yield piece
