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


class Town:
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


def in_town(main):
    async def begin(tasks):
        town = Town(tasks)
        await town.listen()
        return await main(town)

    return simulated_tasks.run(begin)


def test_what_is_sent_waits_in_both_directions_and_arrives_in_order():
    async def main(town):
        here, there = await town.connect()
        here.link.send(b"before ")
        await town.pass_time()
        town.network.cut({THERE})
        here.link.send(b"mean", b"while ")
        there.link.send(b"answer")
        await town.pass_time()
        cut_off = (there.received, here.received, here.link.unsent)
        town.network.cut(())
        here.link.send(b"after")
        await town.pass_time()
        return cut_off, there.received, here.received

    cut_off, there, here = in_town(main)
    assert cut_off == (b"before ", b"", len(b"meanwhile "))
    assert (there, here) == (b"before meanwhile after", b"answer")


def test_who_connects_waits_for_the_end_of_the_cut():
    async def main(town):
        town.network.cut({THERE})
        with pytest.raises(TimeoutError):
            async with town.tasks.deadline(LONG_MS):
                await town.connect()
        town.tasks.after(LONG_MS, lambda: town.network.cut(()))
        here, _ = await town.connect()
        here.link.send(b"in the end")
        await town.pass_time()
        return town.there[0].received

    assert in_town(main) == b"in the end"


def test_other_addresses_are_not_cut_off():
    async def main(town):
        here, there = await town.connect()
        town.network.cut({Address("elsewhere", 9)})
        here.link.send(b"passes")
        await town.pass_time()
        return there.received

    assert in_town(main) == b"passes"


@pytest.mark.parametrize("end", ["close", "abort"])
def test_a_connection_that_is_closed_ends_here_at_once_and_there_after_the_cut(end):
    async def main(town):
        here, there = await town.connect()
        town.network.cut({THERE})
        getattr(here.link, end)()
        await town.pass_time()
        cut_off = (here.ended, there.ended)
        town.network.cut(())
        await town.pass_time()
        return cut_off, bool(there.ended), here.received

    assert in_town(main) == (("closed here", ""), True, b"")


def test_a_link_that_its_owner_has_paused_stays_so_after_the_cut():
    async def main(town):
        here, there = await town.connect()
        here.link.pause()
        town.network.cut({THERE})
        there.link.send(b"answer")
        town.network.cut(())
        await town.pass_time()
        paused = here.received
        here.link.resume()
        await town.pass_time()
        return paused, here.received

    assert in_town(main) == (b"", b"answer")


def test_a_process_reads_from_whom_it_is_cut_off_and_answers(monkeypatch):
    takes: list[Any] = []
    monkeypatch.setattr(cuts, "on_input_line", takes.append)

    async def main(town):
        out = io.StringIO()
        network = cut_by_input(town.network, town.tasks, out)
        here = await connect(network)
        takes[0](cut_line([str(THERE)]))
        here.link.send(b"x")
        await town.pass_time()
        there = town.there[0].received
        takes[0](cut_line([]))
        await town.pass_time()
        return there, town.there[0].received, out.getvalue()

    assert in_town(main) == (b"", b"x", f"{CUT}there:9\n{CUT}none\n")
