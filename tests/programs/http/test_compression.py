"""Bodies in gzip: what comes is bounded, what leaves is what the client takes."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.http.compression import BYTES_MAX, BYTES_MIN, deflated, inflate
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route, Router
from moldau.programs.http.server import HttpServer

LONG = b'{"a":1}' * 1000
MOST = 10_000
NO_TASKS: Any = None
"""Nothing waits."""


def posted(body, coding="gzip", **more):
    return Request("POST", "/", headers={"content-encoding": coding}, body=body, **more)


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "x-gzip"])
def test_a_body_in_gzip_is_read_as_it_was_meant(coding):
    request = posted(gzip.compress(LONG), coding)
    inflate(request, MOST)
    assert request.body == LONG


def test_a_body_may_be_in_several_parts_and_in_none():
    request = posted(gzip.compress(b"a") + gzip.compress(b"b"))
    inflate(request, MOST)
    assert request.body == b"ab"
    for plain in (posted(b"plain", "identity"), posted(b"")):
        body = plain.body
        inflate(plain, MOST)
        assert plain.body == body


REFUSED = {
    "another coding": (posted(b"x", "br"), 415),
    "two codings": (posted(b"x", "gzip, gzip"), 415),
    "no gzip": (posted(b"{}"), 400),
    "cut off": (posted(gzip.compress(LONG)[:-1]), 400),
    "damaged": (posted(gzip.compress(LONG)[:-8] + bytes(8)), 400),
    "something behind it": (posted(gzip.compress(LONG) + b"x"), 400),
    "too much": (posted(gzip.compress(bytes(MOST + 1))), 413),
    "too much in parts": (posted(gzip.compress(bytes(MOST)) + gzip.compress(b"x")), 413),
}


@pytest.mark.parametrize(("request_", "status"), REFUSED.values(), ids=list(REFUSED))
def test_what_is_no_gzip_or_too_much_is_refused(request_, status):
    with pytest.raises(HttpError) as error:
        inflate(request_, MOST)
    assert error.value.status == status


def pieces_of(data, size):
    async def main(_tasks):
        async def stream():
            for at in range(0, len(data), size):
                yield data[at : at + size]

        request = posted(b"", stream=stream())
        inflate(request, MOST)
        return [piece async for piece in request.stream]

    return simulated_tasks.run(main)


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_stream_in_gzip_is_read_piece_by_piece_and_as_long_as_it_is(size):
    data = gzip.compress(bytes(300_000)) + gzip.compress(LONG)
    pieces = pieces_of(data, size)
    assert b"".join(pieces) == bytes(300_000) + LONG
    assert max(map(len, pieces)) <= 64 * 1024


def test_a_stream_that_ends_too_early_is_refused():
    with pytest.raises(HttpError, match="ends too early"):
        pieces_of(gzip.compress(LONG)[:-1], 100)


def answered(accepted, response, method="GET"):
    return deflated(Request(method, "/", headers={"accept-encoding": accepted}), response)


@pytest.mark.parametrize("accepted", ["gzip", "br, gzip;q=0.5", "x-gzip", "*", "GZIP", "deflate,*"])
def test_who_takes_gzip_gets_it(accepted):
    response = answered(accepted, Response(LONG, headers={"ETag": '"7"', "Vary": "Origin"}))
    assert gzip.decompress(response.body) == LONG
    assert response.headers == {
        "Content-Encoding": "gzip",
        "ETag": 'W/"7"',
        "Vary": "Origin, Accept-Encoding",
    }


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "*, gzip;q=0.0", "identity", "gzipped"])
def test_who_does_not_take_gzip_gets_the_body_as_it_is(accepted):
    response = Response(LONG)
    assert answered(accepted, response) is response


@pytest.mark.parametrize(
    ("size", "method", "is_packed"),
    [
        (BYTES_MIN, "GET", True),
        (BYTES_MAX, "POST", True),
        (BYTES_MIN - 1, "GET", False),
        (BYTES_MAX + 1, "GET", False),
        (BYTES_MIN, "HEAD", False),
        (BYTES_MIN, "DELETE", False),
    ],
)
def test_what_is_small_or_would_keep_others_waiting_is_sent_as_it_is(size, method, is_packed):
    response = answered("gzip", Response(bytes(size)), method)
    assert ("Content-Encoding" in response.headers) == is_packed


def test_a_server_packs_only_where_that_is_asked_of_it():
    def server(**options):
        router = Router([Route("POST", "/", lambda request: Response(request.body))])
        return HttpServer(router, NO_TASKS, SimulatedClock(), **options)

    request = posted(gzip.compress(LONG))
    request.headers = {**request.headers, "accept-encoding": "gzip"}
    response = server().answer(request)
    assert response.body == LONG
    assert server().encoded(request, response) is response
    packed = server(compresses=True).encoded(request, response)
    assert gzip.decompress(packed.body) == LONG
