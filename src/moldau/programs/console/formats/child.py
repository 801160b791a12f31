"""The process of one format: it loads the functions once, and calls them for what comes.

It is run by `process`, and begins with its bounds, before any code of the user is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from queue import Queue
from typing import Any, Final

from moldau.errors import MoldauError
from moldau.platform.system.time_limit import CallTimes
from moldau.platform.system.working import Caller
from moldau.programs.console.formats.called import CALL_MS, CalledFormat, FormatError, loaded
from moldau.programs.console.formats.declared import Declared

__all__ = ["FormatWork"]

REQUEST_MS: Final = 4_000
"""Of one request, which is the records of a page: those behind are then not decoded."""


class FormatWork:
    """Answers each request in its order."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._requests: Queue[tuple[Mapping[str, Any], bytes]] = Queue()
        self._format: CalledFormat

    def run(self) -> None:
        """Until the process ends."""
        self._caller.follow(lambda head, body: self._requests.put((head, body)))
        while True:
            self.answer(*self._requests.get())

    def answer(self, head: Mapping[str, Any], body: bytes) -> None:
        if head["kind"] == "load":
            self._load(Declared.received(head["declared"]))
            return
        self._format.times.begin()
        match head["kind"]:
            case "decode":
                self._decode(head["topic"], head["sizes"], body)
            case _:
                self._send(lambda: self._format.encoded(head["topic"], body.decode()))

    def _load(self, declared: Declared) -> None:
        try:
            self._format = loaded(declared, CallTimes(CALL_MS, REQUEST_MS))
        except MoldauError as error:
            self._caller.send({"kind": "failed", "message": str(error)})
            return
        _, topics, parts, encodes = self._format.offer
        offer = {"topics": topics, "parts": list(parts), "encodes": encodes}
        self._caller.send({"kind": "loaded", **offer})

    def _decode(self, topic: str, sizes: list[int], body: bytes) -> None:
        """An answer to each, as soon as it is there."""
        start = 0
        for size in sizes:
            self._send(partial(self._format.decoded, topic, body[start : start + size]))
            start += size

    def _send(self, call: Callable[[], bytes]) -> None:
        try:
            found = call()
        except FormatError as error:
            self._caller.send({"kind": "failed", "message": str(error)})
        else:
            self._caller.send({"kind": "done"}, found)


if __name__ == "__main__":
    FormatWork(Caller()).run()
