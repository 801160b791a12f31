"""A client and a served connection at the two ends of a simulated link."""

from __future__ import annotations

from struct import pack

from moldau.network.budget import FrameBudget
from moldau.network.connection import Connection
from moldau.network.receiving import Receiving
from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom

HOST = "here"


class Client:
    """Sends what a test gives it, keeps what it receives."""

    def __init__(self, link):
        self.link = link
        self.received = bytearray()
        self.is_over = False
        self._buffer = bytearray(64 * 1024)

    def readable(self):
        self.received += self._buffer[: self.link.receive_into(self._buffer)]

    def all_sent(self):
        pass

    def lost(self, reason):
        self.is_over = True

    def say(self, *frames):
        self.link.send(b"".join(map(framed, frames)))


class Served:
    """The frames that a connection handed on; the test answers them, or `answer` does."""

    def __init__(self, tasks, clock, answer=None, limit=1 << 20, budget=1 << 28):
        self.receiving = Receiving(clock, tasks, limit, FrameBudget(budget))
        self.frames = []
        self.connections = []
        self.lost = []
        self._answer = answer
        self.work = lambda: None
        """What each frame costs."""

    def take_over(self, link):
        number = len(self.connections)
        self.connections.append(
            Connection(link, self.receiving, self.handle, self.lost.append, number=number)
        )
        return self.connections[-1]

    def handle(self, connection, frame):
        self.frames.append(bytes(frame))
        self.work()
        if self._answer is not None:
            connection.reply(self._answer(bytes(frame)))


def framed(frame):
    return pack(">i", len(frame)) + frame


def converse(main, seed=1, **options):
    """Run `main(tasks, served, connect)` in a simulated world."""
    clock = SimulatedClock()

    async def begin(tasks):
        network = SimulatedWorld(tasks, SeededRandom(seed)).host(HOST)
        served = Served(tasks, clock, **options)
        listener = await network.listen(Address(HOST, 0), served.take_over)

        async def connect():
            clients = []

            def own(link):
                clients.append(Client(link))
                return clients[0]

            await network.connect(listener.address, own)
            return clients[0]

        return await main(tasks, served, connect)

    return simulated_tasks.run(begin, clock)
