"""Judge: fetch sessions find a place, or make others go, as in Kafka, to the shard."""

from __future__ import annotations

from random import Random

import pytest

from moldau.broker.server.fetch.session import FIRST_EPOCH
from moldau.broker.server.fetch.sessions import FINAL_EPOCH, IDS_OF_SHARD, NO_SESSION
from moldau.protocol.messages.data.fetch import FetchRequest
from tests.interop.differential.side import Side

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]

SETTINGS = {"max.incremental.fetch.session.cache.slots": "20"}
VERSION = 12
CONSUMER, FOLLOWER = -1, 1
FETCHES = 300
ROOM = 16


def fetch(session_id, epoch, replica, size):
    of = FetchRequest.FetchTopic
    partitions = [
        of.FetchPartition(partition=index, fetch_offset=0, partition_max_bytes=1)
        for index in range(size)
    ]
    return FetchRequest(
        replica_id=replica,
        max_wait_ms=0,
        min_bytes=0,
        session_id=session_id,
        session_epoch=epoch,
        topics=[of(topic="missing", partitions=partitions)],
        forgotten_topics_data=[],
    )


class Fetchers:
    """Many consumers and followers of one node, each with a session of its own."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.ids: list[int] = []

    def begin(self, replica: int, size: int) -> int:
        """The shard of the new session; -1 if there is none."""
        answer = self.side.ask(fetch(NO_SESSION, FIRST_EPOCH, replica, size), VERSION)
        self.ids.append(answer.session_id)
        return answer.session_id // IDS_OF_SHARD if answer.session_id else -1

    def end(self, number: int) -> int:
        return self._go_on(number, FINAL_EPOCH)

    def look(self, number: int, epoch: int) -> int:
        """The error: whether the session is still there."""
        return self._go_on(number, epoch)

    def _go_on(self, number: int, epoch: int) -> int:
        session_id = self.ids[number % len(self.ids)]
        answer = self.side.ask(fetch(session_id, epoch, CONSUMER, 0), VERSION)
        return int(answer.error_code)


def talk(fetchers: Fetchers, seed: int):
    """The same for each side, if sessions come and go alike.

    No two sessions are of one size: which of them had to go would be settled by their ids, and
    those are drawn by chance.
    """
    random = Random(seed)
    sizes = random.sample(range(1, FETCHES + 1), FETCHES)
    for _ in range(FETCHES):
        number = random.randrange(3 * ROOM)
        match random.choice(("begin", "begin", "begin", "follow", "end", "look")):
            case "follow":
                yield fetchers.begin(FOLLOWER, sizes.pop())
            case "end" if fetchers.ids:
                yield fetchers.end(-number)
            case "look" if fetchers.ids:
                yield fetchers.look(-number, 9)
            case _:
                yield fetchers.begin(CONSUMER, sizes.pop())


def test_sessions_come_and_go_alike(new_moldau_node, new_kafka_node, seed):
    print(f"seed {seed}")
    answers = []
    for node in (new_moldau_node(SETTINGS), new_kafka_node(SETTINGS)):
        node.start()
        side = Side("node", node.client_port)
        answers.append(list(talk(Fetchers(side), seed)))
        side.close()
        node.kill()
    ours, theirs = answers
    assert ours == theirs
    assert {-1, 0, 7, 70, 71} <= set(theirs)
