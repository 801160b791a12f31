"""Questions to web servers, in a simulated world."""

from __future__ import annotations

import pytest

from moldau.network.outgoing.web import Web, WebError, check_url, read_answer
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run
from tests.network.outgoing.scripted_web import URL, ScriptedWeb, answer


def ask(*script, url=f"{URL}/keys?a=1", post=None, **more):
    """What comes back, and what was asked."""
    server = ScriptedWeb(*script)

    async def main(tasks):
        world = SimulatedWorld(tasks, SeededRandom(1))
        await server.open(world)
        web = Web(network=world.host("node"), tasks=tasks, **more)
        if post is not None:
            return await web.post(url, {"X-A": "b"}, post)
        return await web.get(url)

    return run(main, SimulatedClock()), server.asked


def test_an_answer_comes_back_whole():
    found, asked = ask(answer(b'{"keys":[]}'))
    assert (found.status, found.body) == (200, b'{"keys":[]}')
    assert asked[0].startswith("GET /keys?a=1 HTTP/1.1\r\nHost: provider:8080\r\n")
    found, asked = ask(answer(b"no", "401 Unauthorized"), post=b"grant=x")
    assert (found.status, found.body) == (401, b"no")
    assert "X-A: b\r\n" in asked[0]
    assert asked[0].endswith("Content-Length: 7\r\n\r\ngrant=x")


@pytest.mark.parametrize(
    "response",
    [
        b"HTTP/1.1 200 keep\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.0 200 OK\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n",
    ],
)
def test_a_body_ends_by_its_length_its_chunks_or_the_connection(response):
    assert ask(response)[0].body == b"hello"


@pytest.mark.parametrize(
    ("response", "clause"),
    [
        (None, "no answer within 10000 ms"),
        (b"", "the connection ended"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "is not HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhello", "the connection ended"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nhello", "no sensible Content-Length"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxx\r\nhello", "a chunk without"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n" + bytes(2_000_000), "more than"),
        (b"x" * 70_000, "too many headers"),
    ],
)
def test_what_is_no_answer_is_an_error_with_its_cause(response, clause):
    with pytest.raises(WebError, match=clause):
        ask(response)


def test_a_host_that_is_not_there_and_https_without_tls_are_errors():
    with pytest.raises(Exception, match="nowhere"):
        ask(url="http://nowhere/keys")
    with pytest.raises(WebError, match="speaks no TLS"):
        ask(url="https://provider/keys")


@pytest.mark.parametrize(
    "url", ["", "provider/keys", "ftp://provider/", "http://", "http://a:b@provider/", "http://p:x/",
            "http://provider/\r\nX: y", "http://provider/a b"],
)  # fmt: skip
def test_what_is_no_address_is_refused(url):
    with pytest.raises(ValueError, match=r".+"):
        check_url(url)


def test_half_an_answer_is_waited_for():
    for end in range(len(answer(b"hello"))):
        assert read_answer(answer(b"hello")[:end], is_over=False) is None
