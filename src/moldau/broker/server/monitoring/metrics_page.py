"""`/metrics` over HTTP: what Prometheus asks for; and `/jolokia`, the same as MBeans.

One request to a connection: a method, a path, headers of which only the body's length is read.
Whatever is longer than a page of headers, or another method, is closed or refused. The page is made
a piece at a time, and between two of them others are served.

A client has ten seconds to finish its request and thirty more to take the answer, and no more than
a few connections are open at a time: when another one comes, the oldest that has not asked has to
go. So a client that asks is answered, however many others are silent.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from moldau.broker.metrics.prometheus import CONTENT_TYPE, Spelling, pieces
from moldau.broker.metrics.registry import Registry
from moldau.platform.buffers import Buffer
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Link, Listener, Network
from moldau.platform.ports.tasks import Tasks, Timer

if TYPE_CHECKING:
    from moldau.broker.server.monitoring.jolokia import Jolokia

__all__ = ["MetricsPages", "MetricsRequest", "open_metrics_page"]

Prepare = Callable[[], Awaitable[None]]
CATALOGUE = "moldau.broker.server.monitoring.figures.catalogue"
"""Imported with the first reading: 29 ms, which a start need not wait for."""
FAMILIES = "moldau.broker.server.monitoring.families.table"
JOLOKIA = "moldau.broker.server.monitoring.jolokia"
"""Imported with the first reading, too."""

REQUEST_BYTES_MAX = 8 * 1024
BODY_BYTES_MAX = 64 * 1024
CONNECTIONS_MAX = 16
"""Prometheus has one, and so has each person that looks."""
REQUEST_MS_MAX = 10_000
"""Until the request is whole: Prometheus itself gives up after ten seconds."""
PIECES_PER_TURN_MAX = 64
TURN_NS = 250_000
"""Then others are served before the page goes on; a piece is never cut, and takes 1 ms at most."""
REST_MS = 1
"""For so long: a request of others takes several turns of the loop, and is to meet one slice."""
ANSWER_MS_MAX = 30_000
"""Until the answer is taken, with the time that making it takes."""
END_OF_HEADERS = b"\r\n\r\n"
PATH = b"/metrics"
JOLOKIA_PATH = b"/jolokia"
JSON = "application/json; charset=utf-8"
_BODY_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,9})[ \t]*\r\n", re.IGNORECASE)


class MetricsPages:
    """The connections that are open, and what they are sent."""

    def __init__(
        self, registry: Registry, tasks: Tasks, clock: Clock, prepare: Prepare | None = None
    ) -> None:
        self.registry = registry
        self.prepare = prepare
        """What has to be waited for is looked up by it before each page."""
        self.tasks = tasks
        self.clock = clock
        self.spelling = Spelling()
        self._began_ns = clock.monotonic_ns()
        """The start of the node, from which on things are counted."""
        self._jolokia: Jolokia | None = None
        self._doc: Mapping[str, str] = {}
        self._open: dict[MetricsRequest, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def take_over(self, link: Link) -> MetricsRequest:
        """Let one more in, if need be in the place of one that has not asked yet."""
        request = MetricsRequest(link, self)
        if len(self._open) >= CONNECTIONS_MAX:
            silent = (one for one in self._open if not one.is_asked)
            next(silent, request).abort()
        self._open[request] = None
        return request

    def forget(self, request: MetricsRequest) -> None:
        self._open.pop(request, None)

    async def doc(self) -> Mapping[str, str]:
        """What each family means; the tables are imported beside the loop, which others need."""
        if not self._doc:
            self._doc = await self.tasks.offload(_imported_doc)
        return self._doc

    @property
    def jolokia(self) -> Jolokia:
        """Made with the first reading; it keeps readings, of which it makes rates."""
        if self._jolokia is None:
            made: Jolokia = import_module(JOLOKIA).Jolokia(
                self.registry, self.tasks, self.clock, self._began_ns
            )
            self._jolokia = made
        return self._jolokia


def _imported_doc() -> Mapping[str, str]:
    doc: Mapping[str, str] = import_module(FAMILIES).DOC | import_module(CATALOGUE).DOC
    return doc


class MetricsRequest:
    """The owner of one connection."""

    def __init__(self, link: Link, pages: MetricsPages) -> None:
        self.is_asked = False
        """Its request has come."""
        self._link = link
        self._pages = pages
        self._request = b""
        self._buffer = bytearray(REQUEST_BYTES_MAX)
        self._timer: Timer = pages.tasks.after(REQUEST_MS_MAX, self.abort)

    def readable(self) -> None:
        self._request += self._buffer[: self._link.receive_into(self._buffer)]
        if self.is_asked:
            self._request = b""
            return
        head, end, body = self._request.partition(END_OF_HEADERS)
        if not end:
            if len(head) > REQUEST_BYTES_MAX:
                self.abort()
            return
        found = _BODY_LENGTH.search(head + b"\r\n")
        wanted = int(found[1]) if found else 0
        if wanted > BODY_BYTES_MAX or len(body) > BODY_BYTES_MAX:
            self._is_whole()
            self._send("413 Content Too Large", b"The body is larger than 64 KiB.\n")
        elif len(body) >= wanted:
            self._is_whole()
            self._answer(head, body[:wanted])

    def all_sent(self) -> None:
        """Nothing follows: the connection is closing."""

    def lost(self, reason: str) -> None:
        self._timer.cancel()
        self._pages.forget(self)

    def abort(self) -> None:
        """End it now; it makes room for another at once."""
        self._link.abort()
        self._pages.forget(self)

    def _is_whole(self) -> None:
        self.is_asked = True
        self._request = b""
        self._timer.cancel()
        self._timer = self._pages.tasks.after(ANSWER_MS_MAX, self.abort)

    def _answer(self, head: bytes, body: bytes) -> None:
        method, _, rest = head.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        spawn = self._pages.tasks.spawn
        if path == JOLOKIA_PATH or path.startswith(JOLOKIA_PATH + b"/"):
            if method in (b"GET", b"POST"):
                spawn("answer to Jolokia", self._read_beans(method, path, body))
            else:
                self._send("405 Method Not Allowed", b"GET and POST are answered here.\n")
        elif method != b"GET":
            self._send("405 Method Not Allowed", b"Only GET is answered here.\n")
        elif path != PATH:
            self._send("404 Not Found", b"There is nothing but /metrics and /jolokia here.\n")
        else:
            spawn("page of metrics", self._send_metrics())

    async def _read_beans(self, method: bytes, path: bytes, body: bytes) -> None:
        jolokia = self._pages.jolokia
        if method == b"POST":
            answer = await jolokia.answer_post(body)
        else:
            below = path.removeprefix(JOLOKIA_PATH).decode("ascii", "replace")
            answer = await jolokia.answer_get(below)
        self._send("200 OK", answer, JSON)

    async def _send_metrics(self) -> None:
        if self._pages.prepare is not None:
            await self._pages.prepare()
        text, doc = bytearray(), await self._pages.doc()
        since_ns, count = self._pages.clock.monotonic_ns(), 0
        for piece in pieces(self._pages.registry, self._pages.spelling, doc):
            text += piece.encode()
            count += 1
            if (
                count == PIECES_PER_TURN_MAX
                or self._pages.clock.monotonic_ns() - since_ns > TURN_NS
            ):
                await self._pages.tasks.sleep(REST_MS)
                since_ns, count = self._pages.clock.monotonic_ns(), 0
        self._send("200 OK", text)

    def _send(self, status: str, body: Buffer, content_type: str = CONTENT_TYPE) -> None:
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self._link.send(head.encode(), body)
        self._link.close()


async def open_metrics_page(
    network: Network,
    address: Address,
    registry: Registry,
    tasks: Tasks,
    clock: Clock,
    prepare: Prepare | None = None,
) -> Listener:
    pages = MetricsPages(registry, tasks, clock, prepare)
    return await network.listen(address, pages.take_over)
