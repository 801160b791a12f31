"""The process of one search: it has the query first, then chunks, and answers with the result.

It is run by `process`, and begins with its bounds, before DuckDB and Arrow are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from queue import Queue
from typing import TYPE_CHECKING, Any, Final

from moldau.client.core.fetching.chunk import Chunk
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.platform.system.working import BODY_BYTES_MAX, Caller
from moldau.programs.console.search.decoded import SearchFormats, topic_formats
from moldau.programs.console.search.filtering import SearchFilter
from moldau.programs.console.search.query import bounds_of, topic_of
from moldau.programs.console.values.masking import Mask, Masks
from moldau.programs.http.json_bodies import json_bytes
from moldau.programs.http.messages import HttpError

if TYPE_CHECKING:
    from moldau.programs.console.search.running import SqlRun

__all__ = ["Search"]

RUNNING: Final = "moldau.programs.console.search.running"
"""It needs DuckDB and Arrow, which may be missing."""
MISSING: Final = "Searching by SQL needs DuckDB and Arrow: pip install 'moldau[console]'"
TOO_DEEP: Final = "The query is nested too deeply"
MESSAGE_MAX: Final = 2000
RESULT_BYTES_MAX: Final = BODY_BYTES_MAX
TOO_LARGE: Final = "The result is larger than 16 MB: select fewer columns, or fewer rows by a limit"


class Search:
    """From the query to the result."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._queries: Queue[Mapping[str, Any]] = Queue()
        self._run: SqlRun

    def run(self) -> None:
        self._caller.follow(self._take)
        try:
            self._plan(self._queries.get())
            result = json_bytes(self._run.run())
            if len(result) > RESULT_BYTES_MAX:
                raise HttpError(400, TOO_LARGE)
            self._caller.send({"kind": "result"}, result)
        except MoldauError as error:
            status = getattr(error, "status", 400)
            message = str(error)[:MESSAGE_MAX]
            self._caller.send({"kind": "failed", "status": status, "message": message})

    def _take(self, head: Mapping[str, Any], body: bytes) -> None:
        """Called in the thread that reads; chunks come once the plan was sent."""
        match head["kind"]:
            case "query":
                self._queries.put(head)
            case "chunk":
                part = TopicPartition(head["topic"], head["partition"])
                void = frozenset(head["void"])
                self._run.feed(Chunk(part, memoryview(body), head["start"], head["end"], void))
            case _:
                self._run.feed(None)

    def _plan(self, query: Mapping[str, Any]) -> None:
        running, text = _running(), query["text"]
        try:
            tree = running.parsed_query(text)
            topic, bounds = topic_of(tree), bounds_of(tree)
        except RecursionError:
            raise HttpError(400, TOO_DEEP) from None
        since_ms = None if bounds.since is None else running.time_ms(bounds.since)
        masks = Masks(map(Mask.received, query["masks"]))
        is_checked = query["check_checksums"]
        formats = topic_formats(SearchFormats.received(query["formats"]), topic)
        kept = SearchFilter(query["kept"]) if query["kept"] else None
        self._run = running.SqlRun(
            topic, text, masks, formats, kept, check_checksums=is_checked, taken=self._taken
        )
        self._caller.send(
            {"kind": "plan", "topic": topic, "bounds": list(bounds), "since_ms": since_ms}
        )

    def _taken(self) -> None:
        self._caller.send({"kind": "taken"})


def _running() -> Any:  # noqa: ANN401  # a module that may be missing
    try:
        return import_module(RUNNING)
    except ImportError:
        raise HttpError(501, MISSING) from None


if __name__ == "__main__":
    found = Caller()
    Search(found).run()
    found.leave()
