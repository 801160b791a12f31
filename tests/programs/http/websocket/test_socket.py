"""Sockets as their clients see them, on a simulated network with its own time."""

from __future__ import annotations

import pytest

from moldau.errors import MoldauError
from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.http.front import Front
from moldau.programs.http.limits import Limits
from moldau.programs.http.messages import Upgrade
from moldau.programs.http.routes import Route, Router
from moldau.programs.http.server import HttpServer
from moldau.programs.http.websocket.frames import (
    Close,
    FrameReader,
    Message,
    Opcode,
    Ping,
    Pong,
    frame,
)
from moldau.programs.http.websocket.handshake import upgraded
from tests.network.conversation import Client

LIMITS = Limits(body_bytes_max=1000, unsent_bytes_max=4000)
MASK = b"mask"
HANDSHAKE = (
    b"GET %b HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%b\r\n"
)


def sent(text):
    return frame(Opcode.TEXT, text, MASK)


class Sockets:
    """A server with sockets of several kinds, and what they had."""

    def __init__(self, tasks):
        self.received = []
        self.sent = 0
        self.ended = []
        self._tasks = tasks

    def router(self):
        ways = {"/echo": self.echo, "/flood": self.flood, "/busy": self.busy}
        ways |= {"/broken": self.broken, "/fails": self.fails}
        return Router([self._route(path, run) for path, run in ways.items()])

    def _route(self, path, run):
        upgrade = Upgrade(run, takes_messages=path != "/flood")
        return Route("GET", path, lambda request: upgraded(request, upgrade))

    async def echo(self, socket):
        while messages := await socket.receive():
            for message in messages:
                self.received.append(message)
                await socket.send(message.encode())
        self.ended.append("echo")

    async def flood(self, socket):
        socket.when_over = lambda: self.ended.append("flood")
        while not socket.is_over:
            await socket.send(b"x" * 1000)
            self.sent += 1
            await self._tasks.sleep(1)

    async def busy(self, socket):
        await self._tasks.sleep(1_000_000)
        self.received += await socket.receive()

    async def broken(self, _socket):
        raise KeyError("a defect")

    async def fails(self, _socket):
        raise MoldauError("the broker is gone")


def served(main, path, more=b"", behind=b"", origins=()):
    """What `main(client, sockets, tasks, server)` returns, of a client that has asked."""
    clock = SimulatedClock()

    async def begin(tasks):
        world = SimulatedWorld(tasks, SeededRandom(1))
        sockets, network = Sockets(tasks), world.host("here")
        front = Front(origins=origins)
        server = HttpServer(sockets.router(), tasks, clock, limits=LIMITS, front=front)
        await server.open(network, Address("here", 0))
        clients = []

        def own(link):
            clients.append(Client(link))
            return clients[0]

        await network.connect(server.address, own)
        clients[0].link.send(HANDSHAKE % (path, more) + behind)
        await tasks.sleep(100)
        return await main(clients[0], sockets, tasks, server)

    return simulated_tasks.run(begin, clock)


def events_of(client):
    """What came behind the handshake."""
    head, _, data = bytes(client.received).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 Switching Protocols\r\n"), head
    reader, found = FrameReader(1 << 20, masked=False), []
    reader.feed(data)
    while (event := reader.next_event()) is not None:
        found.append(event)
    return found


def test_messages_are_answered_in_their_order_also_those_that_came_with_the_handshake():
    async def main(client, _sockets, tasks, _server):
        client.link.send(sent(b"b") + frame(Opcode.PING, b"?", MASK) + sent(b"c"))
        await tasks.sleep(100)
        return events_of(client)

    found = served(main, b"/echo", behind=sent(b"a"))
    assert [one.data for one in found if isinstance(one, Message)] == ["a", "b", "c"]
    assert Pong(b"?") in found


def test_a_close_is_answered_and_the_handler_ends():
    async def main(client, sockets, tasks, server):
        client.link.send(frame(Opcode.CLOSE, (4000).to_bytes(2), MASK))
        await tasks.sleep(100)
        return events_of(client), client.is_over, sockets.ended, len(server)

    assert served(main, b"/echo") == ([Close(4000, "")], True, ["echo"], 0)


@pytest.mark.parametrize(
    ("path", "data", "code"),
    [
        (b"/echo", frame(Opcode.TEXT, b"no mask"), 1002),
        (b"/echo", sent(b"x" * 1001), 1009),
        (b"/echo", sent(b"\xff"), 1007),
        (b"/flood", sent(b"x"), 1003),
        (b"/broken", b"", 1011),
        (b"/fails", b"", 1011),
    ],
)
def test_what_is_wrong_ends_the_socket_with_its_code(path, data, code):
    async def main(client, _sockets, tasks, _server):
        client.link.send(data)
        await tasks.sleep(1000)
        return events_of(client)[-1], client.is_over

    found, is_over = served(main, path)
    assert (found.code, is_over) == (code, True)
    assert found.reason == "the broker is gone" or path != b"/fails"


def test_a_client_that_does_not_take_is_waited_for_and_then_given_up():
    async def main(client, sockets, tasks, server):
        client.link.pause()
        await tasks.sleep(10_000)
        first = sockets.sent
        await tasks.sleep(10_000)
        waits = sockets.sent == first
        client.link.resume()
        await tasks.sleep(1000)
        goes_on = sockets.sent > first
        client.link.pause()
        await tasks.sleep(2 * LIMITS.unread_ms_max)
        return waits, goes_on, sockets.ended, len(server)

    assert served(main, b"/flood") == (True, True, ["flood"], 0)


def test_messages_are_not_read_while_the_handler_is_busy():
    async def main(client, sockets, tasks, _server):
        for number in range(1000):
            client.link.send(sent(b"%d" % number + b"x" * 900))
        await tasks.sleep(100_000)
        left = client.link.unsent
        await tasks.sleep(1_000_000)
        return left, len(sockets.received), client.is_over

    left, count, _ = served(main, b"/busy")
    assert left > 0
    assert 0 < count < 1000


def test_a_silent_client_is_asked_and_given_up_when_it_does_not_answer():
    async def main(client, _sockets, tasks, _server):
        await tasks.sleep(LIMITS.idle_ms_max // 2)
        asked = events_of(client)
        client.link.send(frame(Opcode.PONG, b"", MASK))
        await tasks.sleep(LIMITS.idle_ms_max * 3 // 4)
        stays = not client.is_over
        await tasks.sleep(LIMITS.idle_ms_max)
        return asked[0], stays, client.is_over

    assert served(main, b"/echo") == (Ping(b""), True, True)


def test_a_server_that_stops_says_so():
    async def main(client, _sockets, tasks, server):
        server.close()
        await tasks.sleep(100)
        return events_of(client), client.is_over

    assert served(main, b"/echo") == ([Close(1001, "the server stops")], True)


@pytest.mark.parametrize(
    ("origin", "allowed", "status"),
    [
        (b"http://evil.example", (), b"403"),
        (b"http://here", (), b"101"),
        (b"http://shop.example", ("http://shop.example",), b"101"),
        (b"null", (), b"403"),
    ],
)
def test_pages_of_other_origins_open_sockets_only_where_they_are_named(origin, allowed, status):
    async def main(client, _sockets, _tasks, _server):
        return bytes(client.received).split()[1]

    assert served(main, b"/echo", b"Origin: %b\r\n" % origin, origins=allowed) == status


def test_a_request_without_an_upgrade_is_sent_what_it_needs_and_may_be_followed_by_another():
    async def main(client, _sockets, tasks, _server):
        client.received.clear()
        client.link.send(b"GET /echo HTTP/1.1\r\n\r\n" * 2)
        await tasks.sleep(100)
        return bytes(client.received)

    received = served(main, b"/absent")
    assert received.count(b"HTTP/1.1 426 Upgrade Required\r\n") == 2
    assert received.count(b"Sec-WebSocket-Version: 13\r\n") == 2
