"""A group is stable when all agree, and both kinds of members get a node to make them so."""

from __future__ import annotations

import asyncio
from itertools import chain
from typing import NamedTuple

import pytest

from bench.versus.asking import Connection
from bench.versus.generators.coordinators import await_coordinators
from bench.versus.generators.members import PROTOCOLS, Group, is_stable
from moldau import testing

PARTITIONS, MEMBERS, LEAVING = 6, 4, 1
HEARTBEAT_S = 0.02
SETTINGS = {"group.consumer.min.heartbeat.interval.ms": "1"}


class Standing(NamedTuple):
    """As much of a member as is looked at."""

    epoch: int
    owned: frozenset[int]


def group(*standings):
    return [Standing(epoch, frozenset(owned)) for epoch, owned in standings]


def test_a_group_is_stable_when_all_is_owned_once_in_one_epoch():
    assert is_stable(group((2, {0}), (2, {1, 2})), 3)


@pytest.mark.parametrize(
    "standings",
    [
        [(2, {0}), (1, {1, 2})],
        [(2, {0}), (2, {1})],
        [(2, {0, 1}), (2, {1, 2})],
        [(2, {0, 1, 2}), (2, set())],
        [(1, {0}), (1, {1, 2})],
    ],
)
def test_a_group_is_not_stable_while_anything_is_missing_or_old(standings):
    assert not is_stable(group(*standings), 3, after_epoch=1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_members_become_stable_together_and_again_when_one_leaves(protocol):
    async def conversation():
        async with testing.Node(settings=SETTINGS) as node:
            port = int(node.bootstrap.rpartition(":")[2])
            await asyncio.to_thread(prepare, port)
            kind = PROTOCOLS[protocol]
            members = [kind("g", "t", PARTITIONS, HEARTBEAT_S) for _ in range(MEMBERS)]
            them = Group(port, PARTITIONS, members)
            await them.start()
            before = [set(member.owned) for member in members]
            await them.lose(LEAVING)
            after = [set(member.owned) for member in members[LEAVING:]]
            await them.end()
            return before, after

    for owned in asyncio.run(conversation()):
        assert sorted(chain(*owned)) == list(range(PARTITIONS))


def prepare(port):
    with Connection(port) as connection:
        connection.create_topic("t", PARTITIONS, {})
    await_coordinators(port, ["g"])
