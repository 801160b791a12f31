"""A group whose members start together, and of which some leave: until every partition is owned.

All members are tasks of one process, each with a connection of its own. A group is stable when all
its members are in the same epoch (of a classic group: generation) and own each partition exactly
once, and each of them at least one. Then the first ones leave at the same moment, and the rest have
to become stable in a later epoch.

Clients' own defaults would have a member ask every three seconds (classic) or every five (KIP-848),
and the time measured would be that interval on either side. Here members ask more often.

    python -m bench.versus.generators.members PORT TOPIC --protocol consumer --members 100
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Protocol

from bench.versus.generators.classic_member import ClassicMember
from bench.versus.generators.consumer_member import ConsumerMember
from bench.versus.generators.coordinators import await_coordinators

HEARTBEAT_S = 0.25
LOOK_EVERY_S = 0.002
PATIENCE_S = 60.0


class Member(Protocol):
    """Either kind."""

    epoch: int
    owned: frozenset[int]

    def run(self, port: int) -> Coroutine[object, object, None]: ...

    def leave(self, port: int) -> Coroutine[object, object, None]: ...


PROTOCOLS: Mapping[str, Callable[[str, str, int, float], Member]] = {
    "classic": ClassicMember,
    "consumer": ConsumerMember,
}


def is_stable(members: Iterable[Member], partitions: int, after_epoch: int = 0) -> bool:
    """See the head of the file."""
    found = list(members)
    epochs = {member.epoch for member in found}
    owned = [partition for member in found for partition in member.owned]
    return (
        len(epochs) == 1
        and min(epochs) > after_epoch
        and all(member.owned for member in found)
        and sorted(owned) == list(range(partitions))
    )


class Group:
    """The members that are in, and the tasks that they are."""

    def __init__(self, port: int, partitions: int, members: Sequence[Member]) -> None:
        self._port, self._partitions = port, partitions
        self._members = list(members)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> float:
        """All together; the seconds until they are stable."""
        began_s = time.perf_counter()
        self._tasks = [asyncio.create_task(one.run(self._port)) for one in self._members]
        await self._settle(after_epoch=0)
        return time.perf_counter() - began_s

    async def lose(self, count: int) -> float:
        """So many leave; the seconds until the rest is stable."""
        epoch = self._members[-1].epoch
        leaving, self._members = self._members[:count], self._members[count:]
        gone, self._tasks = self._tasks[:count], self._tasks[count:]
        await self._quiet(gone)
        began_s = time.perf_counter()
        await asyncio.gather(*(one.leave(self._port) for one in leaving))
        await self._settle(epoch)
        return time.perf_counter() - began_s

    async def end(self) -> None:
        """All leave."""
        await self._quiet(self._tasks)
        await asyncio.gather(*(one.leave(self._port) for one in self._members))

    async def _quiet(self, tasks: list[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _settle(self, after_epoch: int) -> None:
        until_s = time.perf_counter() + PATIENCE_S
        while not is_stable(self._members, self._partitions, after_epoch):
            for task in self._tasks:
                if task.done():
                    task.result()
            assert time.perf_counter() < until_s, f"not stable after {PATIENCE_S:g} s"
            await asyncio.sleep(LOOK_EVERY_S)


async def measure(port: int, options: argparse.Namespace) -> dict[str, float]:
    kind = PROTOCOLS[options.protocol]
    members = [
        kind(options.topic, options.topic, options.partitions, options.heartbeat)
        for _ in range(options.members)
    ]
    group = Group(port, options.partitions, members)
    cpu_s = time.process_time()
    assigned_s = await group.start()
    reassigned_s = await group.lose(options.leaving)
    await group.end()
    spent_s = time.process_time() - cpu_s
    return {"assigned_s": assigned_s, "reassigned_s": reassigned_s, "generator_cpu_s": spent_s}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("port", type=int)
    parser.add_argument("topic", help="to read; the group has the same name")
    parser.add_argument("--protocol", choices=PROTOCOLS, default="classic")
    parser.add_argument("--members", type=int, default=100)
    parser.add_argument("--leaving", type=int, default=10)
    parser.add_argument("--partitions", type=int, default=100)
    parser.add_argument("--heartbeat", type=float, default=HEARTBEAT_S, help="in seconds")
    options = parser.parse_args()
    await_coordinators(options.port, [options.topic])
    print(json.dumps(asyncio.run(measure(options.port, options))))


if __name__ == "__main__":
    main()
