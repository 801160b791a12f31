"""Cuts between nodes, in a simulated network where two of them speak."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest

from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.network import SimulatedWorld
from moldau.testing import cuts
from moldau.testing.cuts import CUT, CuttableNetwork, cut_by_input, cut_line

THERE = Address("there", 9)
LONG_MS = 10_000


class End:
    """One end of a connection: what has come, and how it ended."""

    def __init__(self, link):
        self.link = link
        self.received = b""
        self.ended = ""

    def readable(self):
        buffer = bytearray(100)
        size = self.link.receive_into(buffer)
        self.received += buffer[:size]

    def all_sent(self):
        """Nothing waits for it."""

    def lost(self, reason):
        self.ended = reason


class CuttablePair:
    """A network that may be cut, here, and the node there."""

    def __init__(self, tasks):
        self.tasks = tasks
        self._world = SimulatedWorld(tasks, Random(1))
        self.network = CuttableNetwork(self._world.host("here"), tasks)
        self.there: list[End] = []

    async def connect(self):
        """Both ends."""
        here = await connect(self.network)
        return here, self.there[-1]

    async def listen(self):
        def take_over(link):
            self.there.append(End(link))
            return self.there[-1]

        await self._world.host("there").listen(THERE, take_over)

    async def pass_time(self):
        await self.tasks.sleep(LONG_MS)


async def connect(network):
    """The end of the connection that is here."""
    made: list[End] = []

    def take_over(link):
        made.append(End(link))
        return made[0]

    await network.connect(THERE, take_over)
    return made[0]


def with_pair(main):
    async def begin(tasks):
        pair = CuttablePair(tasks)
        await pair.listen()
        return await main(pair)

    return simulated_tasks.run(begin)


def test_what_is_sent_waits_in_both_directions_and_arrives_in_order():
    async def main(pair):
        here, there = await pair.connect()
        here.link.send(b"before ")
        await pair.pass_time()
        pair.network.cut({THERE})
        here.link.send(b"mean", b"while ")
        there.link.send(b"answer")
        await pair.pass_time()
        cut_off = (there.received, here.received, here.link.unsent)
        pair.network.cut(())
        here.link.send(b"after")
        await pair.pass_time()
        return cut_off, there.received, here.received

    cut_off, there, here = with_pair(main)
    assert cut_off == (b"before ", b"", len(b"meanwhile "))
    assert (there, here) == (b"before meanwhile after", b"answer")


def test_who_connects_waits_for_the_end_of_the_cut():
    async def main(pair):
        pair.network.cut({THERE})
        with pytest.raises(TimeoutError):
            async with pair.tasks.deadline(LONG_MS):
                await pair.connect()
        pair.tasks.after(LONG_MS, lambda: pair.network.cut(()))
        here, _ = await pair.connect()
        here.link.send(b"in the end")
        await pair.pass_time()
        return pair.there[0].received

    assert with_pair(main) == b"in the end"


def test_other_addresses_are_not_cut_off():
    async def main(pair):
        here, there = await pair.connect()
        pair.network.cut({Address("elsewhere", 9)})
        here.link.send(b"passes")
        await pair.pass_time()
        return there.received

    assert with_pair(main) == b"passes"


@pytest.mark.parametrize("end", ["close", "abort"])
def test_a_connection_that_is_closed_ends_here_at_once_and_there_after_the_cut(end):
    async def main(pair):
        here, there = await pair.connect()
        pair.network.cut({THERE})
        getattr(here.link, end)()
        await pair.pass_time()
        cut_off = (here.ended, there.ended)
        pair.network.cut(())
        await pair.pass_time()
        return cut_off, bool(there.ended), here.received

    assert with_pair(main) == (("closed here", ""), True, b"")


def test_a_link_that_its_owner_has_paused_stays_so_after_the_cut():
    async def main(pair):
        here, there = await pair.connect()
        here.link.pause()
        pair.network.cut({THERE})
        there.link.send(b"answer")
        pair.network.cut(())
        await pair.pass_time()
        paused = here.received
        here.link.resume()
        await pair.pass_time()
        return paused, here.received

    assert with_pair(main) == (b"", b"answer")


def test_a_process_reads_from_whom_it_is_cut_off_and_answers(monkeypatch):
    takes: list[Any] = []
    monkeypatch.setattr(cuts, "on_input_line", takes.append)

    async def main(pair):
        out = io.StringIO()
        network = cut_by_input(pair.network, pair.tasks, out)
        here = await connect(network)
        takes[0](cut_line([str(THERE)]))
        here.link.send(b"x")
        await pair.pass_time()
        there = pair.there[0].received
        takes[0](cut_line([]))
        await pair.pass_time()
        return there, pair.there[0].received, out.getvalue()

    assert with_pair(main) == (b"", b"x", f"{CUT}there:9\n{CUT}none\n")
