"""`/metrics` over HTTP: what Prometheus asks for, and nothing else.

One request to a connection: GET, a path, headers that are not read. Whatever is longer than a page
of headers, or no GET, is closed or refused. The page is made a piece at a time, and between two of
them others are served.

A client has ten seconds to finish its request and thirty more to take the answer, and no more than
a few connections are open at a time: when another one comes, the oldest that has not asked has to
go. So a client that asks is answered, however many others are silent.
"""

from __future__ import annotations

from importlib import import_module

from moldau.broker.metrics.prometheus import CONTENT_TYPE, pieces
from moldau.broker.metrics.registry import Registry
from moldau.platform.buffers import Buffer
from moldau.platform.ports.network import Address, Link, Listener, Network
from moldau.platform.ports.tasks import Tasks, Timer

__all__ = ["MetricsPages", "MetricsRequest", "open_metrics_page"]

CATALOGUE = "moldau.broker.server.monitoring.figures.catalogue"
"""Imported by the first who asks: 29 ms, which a start need not wait for."""

REQUEST_BYTES_MAX = 8 * 1024
CONNECTIONS_MAX = 16
"""Prometheus has one, and so has each person who looks."""
REQUEST_MS_MAX = 10_000
"""Until the request is whole: Prometheus itself gives up after ten seconds."""
ANSWER_MS_MAX = 30_000
"""Until the answer is taken, with the time that making it takes."""
END_OF_HEADERS = b"\r\n\r\n"
PATH = b"/metrics"


class MetricsPages:
    """The connections that are open, and what they are sent."""

    def __init__(self, registry: Registry, tasks: Tasks) -> None:
        self.registry = registry
        self.tasks = tasks
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
        elif END_OF_HEADERS in self._request:
            self.is_asked = True
            self._timer.cancel()
            self._timer = self._pages.tasks.after(ANSWER_MS_MAX, self.abort)
            self._answer()
        elif len(self._request) > REQUEST_BYTES_MAX:
            self.abort()

    def all_sent(self) -> None:
        """Nothing follows: the connection is closing."""

    def lost(self, reason: str) -> None:
        self._timer.cancel()
        self._pages.forget(self)

    def abort(self) -> None:
        """End it now; it makes room for another at once."""
        self._link.abort()
        self._pages.forget(self)

    def _answer(self) -> None:
        method, _, rest = self._request.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if method != b"GET":
            self._send("405 Method Not Allowed", b"Only GET is answered here.\n")
        elif path != PATH:
            self._send("404 Not Found", b"There is nothing but /metrics here.\n")
        else:
            self._pages.tasks.spawn("page of metrics", self._tell())

    async def _tell(self) -> None:
        text, doc = bytearray(), import_module(CATALOGUE).DOC
        for piece in pieces(self._pages.registry, doc):
            text += piece.encode()
            await self._pages.tasks.sleep(0)
        self._send("200 OK", text)

    def _send(self, status: str, body: Buffer) -> None:
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self._link.send(head.encode(), body)
        self._link.close()


async def open_metrics_page(
    network: Network, address: Address, registry: Registry, tasks: Tasks
) -> Listener:
    pages = MetricsPages(registry, tasks)
    return await network.listen(address, pages.take_over)
