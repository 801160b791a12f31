"""Connections as their peers see them, on a simulated network with its own time."""

from __future__ import annotations

import gzip

import pytest

from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.http.limits import Limits
from moldau.programs.http.messages import HttpError, Response
from moldau.programs.http.routes import Route, Router
from moldau.programs.http.server import HttpServer
from tests.network.conversation import Client

PIECE = b"x" * 1000
STREAMED = ("/twice", "/unread")
LIMITS = Limits(body_bytes_max=1000, connections_max=3, place_parts=1, unsent_bytes_max=4000)


async def _pieces():
    for _ in range(20):
        yield PIECE


async def _broken_pieces():
    yield PIECE
    raise KeyError("a defect")


def _gone(_request):
    raise HttpError(404, "gone", 40401)


async def _doubled(stream):
    async for piece in stream:
        yield piece * 2


def router_of(tasks):
    async def late(request):
        await tasks.sleep(100)
        if request.path == "/late/defect":
            raise ZeroDivisionError
        return Response(b"late")

    return Router(
        [
            Route("GET", "/now", lambda _request: Response(b"now")),
            Route("POST", "/echo", lambda request: Response(request.body)),
            Route("GET", "/late", late),
            Route("GET", "/late/defect", late),
            Route("GET", "/gone", _gone),
            Route("POST", "/twice", lambda one: Response(pieces=_doubled(one.stream))),
            Route("POST", "/unread", lambda _request: Response(b"unread")),
            Route("GET", "/pieces", lambda _request: Response(pieces=_pieces())),
            Route("GET", "/broken", lambda _request: Response(pieces=_broken_pieces())),
        ]
    )


def served(main, limits=LIMITS):
    """What `main(connect, tasks, server)` returns."""
    clock = SimulatedClock()

    async def begin(tasks):
        network = SimulatedWorld(tasks, SeededRandom(1)).host("here")
        server = HttpServer(
            router_of(tasks), tasks, clock, limits=limits, streams=lambda one: one.path in STREAMED
        )
        await server.open(network, Address("here", 0))

        async def connect(data=b""):
            clients = []

            def own(link):
                clients.append(Client(link))
                return clients[0]

            await network.connect(server.address, own)
            clients[0].link.send(data)
            await tasks.sleep(500)
            return clients[0]

        return await main(connect, tasks, server)

    return simulated_tasks.run(begin, clock)


def answered(data, limits=LIMITS):
    async def main(connect, _tasks, _server):
        client = await connect(data)
        return bytes(client.received), client.is_over

    return served(main, limits)


def get(path, version=b"1.1", more=b""):
    return b"GET %b HTTP/%b\r\n%b\r\n" % (path, version, more)


def test_requests_that_come_together_are_answered_in_their_order():
    received, is_over = answered(get(b"/late") + get(b"/now") + get(b"/gone"))
    bodies = [part.rpartition(b"\r\n\r\n")[2] for part in received.split(b"HTTP/1.1 ")[1:]]
    assert bodies == [b"late", b"now", b'{"error_code":40401,"message":"gone"}']
    assert not is_over


def test_a_defect_costs_one_request():
    received, is_over = answered(get(b"/late/defect") + get(b"/now"))
    assert received.startswith(b"HTTP/1.1 500 ")
    assert received.endswith(b"now")
    assert not is_over


def test_a_defect_between_pieces_costs_one_response_and_not_the_server():
    received, is_over = answered(get(b"/broken"))
    assert PIECE in received
    assert not received.endswith(b"0\r\n\r\n")
    assert is_over


def test_pieces_come_as_chunks_and_to_old_clients_as_they_are():
    received, is_over = answered(get(b"/pieces"))
    assert received.count(b"3e8\r\n" + PIECE + b"\r\n") == 20
    assert received.endswith(b"0\r\n\r\n")
    assert not is_over
    received, is_over = answered(get(b"/pieces", b"1.0"))
    assert received.partition(b"\r\n\r\n")[2] == PIECE * 20
    assert is_over


def stream(path):
    return b"POST %b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" % path


def test_a_streamed_body_is_answered_piece_by_piece():
    async def main(connect, tasks, _server):
        client = await connect(stream(b"/twice") + b"1\r\na\r\n1\r\nb\r")
        received = [bytes(client.received)]
        for more in (b"\n", b"3\r\ncde\r\n0\r\n\r\n" + get(b"/now")):
            client.link.send(more)
            await tasks.sleep(500)
            received.append(bytes(client.received)[len(b"".join(received)) :])
        return received, client.is_over

    (first, second, third), is_over = served(main)
    assert first.endswith(b"2\r\naa\r\n")
    assert second == b"2\r\nbb\r\n"
    assert third.startswith(b"6\r\ncdecde\r\n0\r\n\r\nHTTP/1.1 200 OK")
    assert third.endswith(b"now")
    assert not is_over


def test_a_streamed_body_in_gzip_is_answered_as_it_comes():
    data = gzip.compress(b"ab")
    head = stream(b"/twice").replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
    found, _ = answered(head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data))
    assert b"4\r\nabab\r\n0\r\n\r\n" in found


def test_what_follows_a_stream_that_was_not_read_is_no_request():
    received, is_over = answered(stream(b"/unread") + b"1\r\na\r\n0\r\n\r\n" + get(b"/now"))
    assert received.endswith(b"unread")
    assert is_over


def test_a_stream_that_is_broken_ends_without_its_last_chunk():
    received, is_over = answered(stream(b"/twice") + b"1\r\na\r\nnonsense\r\n")
    assert received.endswith(b"2\r\naa\r\n")
    assert is_over


def test_head_has_no_body():
    received, _ = answered(b"HEAD /now HTTP/1.1\r\n\r\n")
    assert b"Content-Length: 3" in received
    assert received.endswith(b"\r\n\r\n")


def test_what_is_no_request_is_answered_and_ends_the_connection():
    received, is_over = answered(b"POST /echo HTTP/1.1\r\nContent-Length: 1001\r\n\r\n")
    assert received.startswith(b"HTTP/1.1 413 ")
    assert is_over


def test_a_client_gets_leave_to_send():
    head = b"POST /echo HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    assert answered(head)[0] == b"HTTP/1.1 100 Continue\r\n\r\n"


@pytest.mark.parametrize(
    ("data", "ms"),
    [
        (b"POST /echo HTTP/1.1\r\n", LIMITS.request_ms_max),
        (get(b"/now"), LIMITS.idle_ms_max),
        (b"POST /twice HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1", LIMITS.idle_ms_max),
    ],
)
def test_a_client_that_takes_too_long_is_left(data, ms):
    async def main(connect, tasks, _server):
        client = await connect(data)
        await tasks.sleep(ms - 2000)
        was_over = client.is_over
        await tasks.sleep(12_000)
        return was_over, client.is_over

    assert served(main) == (False, True)


def test_a_new_client_takes_the_place_of_an_idle_one():
    async def main(connect, _tasks, server):
        first = await connect(b"GET /")
        idle = await connect(get(b"/now"))
        others = [await connect(get(b"/now")) for _ in range(2)]
        return first.is_over, idle.is_over, others[-1].is_over, len(server)

    assert served(main) == (False, True, False, 3)


HALF = b"POST /echo HTTP/1.1\r\nContent-Length: 1000\r\n\r\n" + b"x" * 900


def test_the_largest_body_that_is_being_read_gives_way_to_others():
    limits = Limits(body_bytes_max=1000, held_bytes_max=2000, place_parts=1)

    async def main(connect, tasks, server):
        clients = [await connect(HALF[:-100]), await connect(HALF), await connect(HALF[:-300])]
        held = server.shares.held_bytes
        clients[0].link.send(b"x" * 200)
        clients[2].link.send(b"x" * 300)
        await tasks.sleep(500)
        received = [bytes(client.received) for client in clients]
        return received, held, server.shares.held_bytes

    received, held, left = served(main, limits)
    assert [one.partition(b" ")[2][:3] for one in received] == [b"200", b"503", b""]
    assert (held, left) == (800 + 600, 900)


def test_a_body_that_a_handler_has_is_held_until_it_is_answered_though_its_client_is_gone():
    limits = Limits(body_bytes_max=1000, held_bytes_max=1500, place_parts=1)
    late = b"GET /late HTTP/1.1\r\nContent-Length: 1000\r\n\r\n" + b"x" * 1000

    async def main(connect, tasks, server):
        first = await connect()
        first.link.send(late)
        await tasks.sleep(50)
        first.link.abort()
        await tasks.sleep(10)
        held = [server.shares.held_bytes]
        await tasks.sleep(500)
        return [*held, server.shares.held_bytes]

    assert served(main, limits) == [1000, 0]
