"""`/metrics` over HTTP: what Prometheus asks for, and nothing else.

One request to a connection: GET, a path, headers that are not read. Whatever is longer than a page
of headers, or no GET, is closed or refused. The page is made a piece at a time, and between two of
them others are served.
"""

from __future__ import annotations

from importlib import import_module

from moldau.buffers import Buffer
from moldau.metrics.prometheus import CONTENT_TYPE, pieces
from moldau.metrics.registry import Registry
from moldau.ports.network import Address, Link, Listener, Network
from moldau.ports.tasks import Tasks

__all__ = ["MetricsPage", "open_metrics_page"]

CATALOGUE = "moldau.server.figures.catalogue"
"""Imported by the first who asks: 29 ms, which a start need not wait for."""

REQUEST_BYTES_MAX = 8 * 1024
END_OF_HEADERS = b"\r\n\r\n"
PATH = b"/metrics"


class MetricsPage:
    """The owner of one connection."""

    def __init__(self, link: Link, registry: Registry, tasks: Tasks) -> None:
        self._link = link
        self._registry = registry
        self._tasks = tasks
        self._is_asked = False
        self._request = b""
        self._buffer = bytearray(REQUEST_BYTES_MAX)

    def readable(self) -> None:
        self._request += self._buffer[: self._link.receive_into(self._buffer)]
        if self._is_asked:
            self._request = b""
        elif END_OF_HEADERS in self._request:
            self._is_asked = True
            self._answer()
        elif len(self._request) > REQUEST_BYTES_MAX:
            self._link.abort()

    def all_sent(self) -> None:
        """Nothing follows: the connection is closing."""

    def lost(self, reason: str) -> None:
        """Nothing is kept."""

    def _answer(self) -> None:
        method, _, rest = self._request.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if method != b"GET":
            self._send("405 Method Not Allowed", b"Only GET is answered here.\n")
        elif path != PATH:
            self._send("404 Not Found", b"There is nothing but /metrics here.\n")
        else:
            self._tasks.spawn("page of metrics", self._tell())

    async def _tell(self) -> None:
        text, says = bytearray(), import_module(CATALOGUE).SAYS
        for piece in pieces(self._registry, says):
            text += piece.encode()
            await self._tasks.sleep(0)
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
    return await network.listen(address, lambda link: MetricsPage(link, registry, tasks))
