"""Bodies in gzip (RFC 9110, 8.4 and 12.5.3): what clients send, and what they take.

A few bytes may be many: what is inflated is bounded as if it had come so, and nothing is inflated
at once that is larger. An answer is compressed for who takes it and where it saves packets; what a
client reads while it comes, as events, is not.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Final

from moldau.programs.http.messages import HttpError, Request, Response

__all__ = ["deflated", "inflate"]

GZIP: Final = "gzip"
NAMES: Final = (GZIP, "x-gzip")
NOTHING: Final = ("", "identity")
WINDOW: Final = 16 + zlib.MAX_WBITS
"""Of zlib: with the header and the check of gzip."""
LEVEL: Final = 1
"""Higher ones cost several times as much for JSON that is a tenth smaller."""
BYTES_MIN: Final = 1400
"""What is smaller goes in one packet as it is."""
BYTES_MAX: Final = 1024 * 1024
"""What is larger would keep others waiting for more than some 10 ms."""
PIECE_BYTES: Final = 64 * 1024
METHODS: Final = ("GET", "POST")


def inflate(request: Request, body_bytes_max: int) -> None:
    """Put the body there as it was meant; 415 for what cannot be read, 413 for too much."""
    coding = request.headers.get("content-encoding", "").strip().lower()
    if coding in NOTHING:
        return
    if coding not in NAMES:
        raise HttpError(415, f"a body may be in {GZIP}, and not in {coding}")
    if request.stream is not None:
        request.stream = _inflated_pieces(request.stream)
    elif request.body:
        request.body = _inflated(request.body, body_bytes_max)


def _inflated(body: bytes, most: int) -> bytes:
    found = bytearray()
    while body:
        inflater = zlib.decompressobj(WINDOW)
        found += _step(inflater.decompress, body, most + 1 - len(found))
        if len(found) > most:
            raise HttpError(413, f"the body has more than {most} bytes, and may have {most}")
        if not inflater.eof:
            raise _not_whole()
        body = inflater.unused_data
    return bytes(found)


async def _inflated_pieces(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    inflater = zlib.decompressobj(WINDOW)
    async for piece in pieces:
        rest = piece
        while rest:
            if inflater.eof:
                inflater = zlib.decompressobj(WINDOW)
            found = _step(inflater.decompress, rest, PIECE_BYTES)
            rest = inflater.unconsumed_tail or inflater.unused_data
            if found:
                yield found
    if not inflater.eof:
        raise _not_whole()


def _step(decompress: Callable[[bytes, int], bytes], data: bytes, most: int) -> bytes:
    try:
        return decompress(data, most)
    except zlib.error as error:
        raise HttpError(400, f"the body is not in {GZIP}: {error}") from None


def _not_whole() -> HttpError:
    return HttpError(400, f"the body is not in {GZIP}: it ends too early")


def deflated(request: Request, response: Response) -> Response:
    """The same in gzip, where that is taken and worth it."""
    is_worth_it = BYTES_MIN <= len(response.body) <= BYTES_MAX
    if not is_worth_it or request.method not in METHODS or not _takes_gzip(request):
        return response
    headers = {**response.headers, "Content-Encoding": GZIP, "Vary": _varying(response)}
    if "ETag" in headers and not headers["ETag"].startswith("W/"):
        headers["ETag"] = "W/" + headers["ETag"]  # the same page, and not the same bytes
    deflater = zlib.compressobj(LEVEL, wbits=WINDOW)
    return replace(
        response, body=deflater.compress(response.body) + deflater.flush(), headers=headers
    )


def _varying(response: Response) -> str:
    return ", ".join(filter(None, (response.headers.get("Vary"), "Accept-Encoding")))


def _takes_gzip(request: Request) -> bool:
    """What is named has the word before `*`; with a quality of 0 it is not taken."""
    found: dict[str, bool] = {}
    for one in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, quality = one.partition(";")
        found[name.strip()] = quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return next((found[name] for name in (*NAMES, "*") if name in found), False)
