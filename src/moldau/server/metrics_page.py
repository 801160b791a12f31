"""`/metrics` over HTTP: what Prometheus asks for, and nothing else.

One request to a connection: GET, a path, headers that are not read. Whatever is longer than a page
of headers, or no GET, is closed or refused.
"""

from __future__ import annotations

from moldau.metrics.prometheus import CONTENT_TYPE, exposition
from moldau.metrics.registry import Registry
from moldau.ports.network import Address, Link, Listener, Network

__all__ = ["MetricsPage", "open_metrics_page"]

REQUEST_BYTES_MAX = 8 * 1024
END_OF_HEADERS = b"\r\n\r\n"
PATH = b"/metrics"


class MetricsPage:
    """The owner of one connection."""

    def __init__(self, link: Link, registry: Registry) -> None:
        self._link = link
        self._registry = registry
        self._request = b""
        self._buffer = bytearray(REQUEST_BYTES_MAX)

    def readable(self) -> None:
        self._request += self._buffer[: self._link.receive_into(self._buffer)]
        if END_OF_HEADERS in self._request:
            self._link.send(self._response())
            self._link.close()
        elif len(self._request) > REQUEST_BYTES_MAX:
            self._link.abort()

    def all_sent(self) -> None:
        """Nothing follows: the connection is closing."""

    def lost(self, reason: str) -> None:
        """Nothing is kept."""

    def _response(self) -> bytes:
        method, _, rest = self._request.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if method != b"GET":
            return _message("405 Method Not Allowed", "Only GET is answered here.\n")
        if path != PATH:
            return _message("404 Not Found", "There is nothing but /metrics here.\n")
        return _message("200 OK", exposition(self._registry))


async def open_metrics_page(network: Network, address: Address, registry: Registry) -> Listener:
    return await network.listen(address, lambda link: MetricsPage(link, registry))


def _message(status: str, text: str) -> bytes:
    body = text.encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
