"""Drawn plays of one connection, some of whose answers are set aside, against one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from random import Random
from struct import pack
from typing import Any

import pytest

from moldau.network.connection import Connection
from moldau.network.owed import OWED_MAX
from tests.broker.server.asking import sized
from tests.network.conversation import converse

SEEDS, SEEDS_OF_A_TEST = 600, 60
SAME, OTHER = 7, 8
"""APIs: that of answers that are set aside, and one that waits for them."""
HEAD_BYTES = 6
LARGE = 300_000
"""Bytes that are not received at one go."""
SIZES = (0, 0, 0, 20, 20, 5_000, 40_000, LARGE)
"""Of requests."""
ANSWER_SIZES = (0, 0, 0, 10, 10, 3_000, 100_000)
DELAYS_MS = (0, 0, 1, 1, 2, 5, 20, 100)
WORKS_NS = (0, 0, 400_000)
MUTE_MS = 7
END_MS = 60_000
"""All delays of a run are over."""


class Way(Enum):
    """What becomes of a request."""

    WAITS = "its answer is set aside within the call"
    WAITS_LATER = "its answer is set aside later"
    AT_ONCE = "answered within the call"
    LATER = "answered later, and in work meanwhile"
    SILENT = "done without an answer"
    SILENT_LATER = "done later without an answer"
    ENDS_IT = "ends the connection"
    ENDS_LATER = "ends the connection later"
    MALFORMED = "ends the connection, and may drop what is unsent"
    IMPOSSIBLE = "has a size that cannot be, with the same end"


WAITING = (Way.WAITS, Way.WAITS_LATER)
ANSWERED = (*WAITING, Way.AT_ONCE, Way.LATER)
ABRUPT = (Way.MALFORMED, Way.IMPOSSIBLE)
ENDS = (Way.ENDS_IT, Way.ENDS_LATER, *ABRUPT)


@dataclass
class Drawn:
    """A request, and its fate."""

    index: int
    way: Way
    api: int
    size: int
    answer_size: int
    mute_ms: int
    work_ns: int
    """What the call itself takes: after some of these, others have their turn."""
    before_ms: int
    """Until it is set aside, or answered if it never is."""
    after_ms: int
    """Until the answer that was set aside is known."""

    @property
    def frame(self) -> bytes:
        return pack(">hi", self.api, self.index) + bytes(self.size)

    @property
    def sent(self) -> bytes:
        """With its size, as the peer sends it."""
        return pack(">i", -5) if self.way is Way.IMPOSSIBLE else sized(self.frame)

    @property
    def answer(self) -> bytes:
        answer: bytes = sized(b"%d:" % self.index + bytes(self.answer_size))
        return answer


def draw(seed: int) -> tuple[list[Drawn], Random]:
    random = Random(seed)
    ends, is_deep = random.random() < 0.5, random.random() < 0.3
    drawn = []
    for index in range(random.randint(1, 40)):
        ways = [*WAITING * 2, *ANSWERED, Way.SILENT, Way.SILENT_LATER]
        way = random.choice(ways + list(ENDS) if ends and not index % 3 else ways)
        if is_deep and random.random() < 0.9:
            way = Way.WAITS
        is_same = way in WAITING or random.random() < 0.7
        is_muted = way not in WAITING and random.random() < 0.1
        drawn.append(
            Drawn(
                index,
                way,
                SAME if is_same else OTHER,
                random.choice(SIZES),
                random.choice(ANSWER_SIZES),
                MUTE_MS if is_muted else 0,
                random.choice(WORKS_NS),
                random.choice(DELAYS_MS),
                max(DELAYS_MS) if is_deep else random.choice(DELAYS_MS),
            )
        )
        if way in ENDS and random.random() < 0.7:
            break
    return drawn, random


def one_at_a_time(drawn: list[Drawn]) -> tuple[list[int], list[bytes], Way | None]:
    """What is taken, what is answered and what ends the connection, where each waits its turn."""
    taken: list[int] = []
    answers: list[bytes] = []
    for one in drawn:
        if one.way is Way.IMPOSSIBLE:
            return taken, answers, one.way
        taken.append(one.index)
        if one.way in ENDS:
            return taken, answers, one.way
        if one.way in ANSWERED:
            answers.append(one.answer)
    return taken, answers, None


class Handler:
    """Does with each frame what is drawn for it, and looks whether it may be in work now."""

    def __init__(self, drawn: list[Drawn], tasks: Any, clock: Any) -> None:
        self.taken: list[int] = []
        self.most = 0
        """So many requests were in work together."""
        self._drawn = drawn
        self._tasks = tasks
        self._clock = clock
        self._now_ns = clock.monotonic_ns
        self._in_work: dict[int, Drawn] = {}
        self._muted_until_ns = 0

    def handle(self, connection: Connection, frame: memoryview) -> None:
        one = self._drawn[int.from_bytes(frame[2:HEAD_BYTES], "big")]
        assert bytes(frame) == one.frame
        assert self._now_ns() >= self._muted_until_ns, "the connection is muted"
        assert not self._in_work or one.api == SAME, "it has to wait for those before it"
        self.taken.append(one.index)
        self._clock.advance_ns(one.work_ns)
        self._in_work[one.index] = one
        self.most = max(self.most, len(self._in_work))
        if one.way in (Way.WAITS, Way.AT_ONCE, Way.SILENT, Way.ENDS_IT, Way.MALFORMED):
            self._go_on(connection, one)
        else:
            self._tasks.after(one.before_ms, lambda: self._go_on(connection, one))

    def _go_on(self, connection: Connection, one: Drawn) -> None:
        if one.way not in WAITING:
            self._finish(connection, one)
            return
        owed: Any = None

        def know() -> None:
            if owed is not None:
                connection.resume(owed)
            self._finish(connection, one)

        self._tasks.after(one.after_ms + 1, know)
        owed = connection.set_aside(SAME)

    def _finish(self, connection: Connection, one: Drawn) -> None:
        del self._in_work[one.index]
        if one.mute_ms and not connection.is_over:
            self._muted_until_ns = self._now_ns() + one.mute_ms * 1_000_000
        if one.way in ENDS:
            connection.end_in_turn(is_abrupt=one.way is Way.MALFORMED)
        elif one.way in ANSWERED:
            connection.reply(one.answer, mute_ms=one.mute_ms)
        else:
            connection.done(one.mute_ms)


def check(seed: int) -> int:
    """How many requests were in work together."""
    drawn, random = draw(seed)
    taken, answers, end = one_at_a_time(drawn)
    leaves = random.random() < 0.1

    async def main(tasks: Any, served: Any, connect: Any) -> int:
        handler = Handler(drawn, tasks, served.receiving.clock)
        served.handle = handler.handle
        client = await connect()
        unsent = b"".join(one.sent for one in drawn)
        while unsent:
            size = random.choice((3, 30, 1_000, 50_000, len(unsent)))
            client.link.send(unsent[:size])
            unsent = unsent[size:]
            await tasks.sleep(random.choice((0, 0, 0, 1, 10)))
        if leaves:
            client.link.abort()
        await tasks.sleep(END_MS)
        (connection,) = served.connections
        received, whole = bytes(client.received), b"".join(answers)
        is_reset = end is not None and len(taken) < len(drawn)
        """By what the peer sends to a connection that has ended: it may lose answers under way."""
        if leaves or is_reset or end in ABRUPT:
            assert handler.taken == taken[: len(handler.taken)], seed
            assert whole.startswith(received), seed
        else:
            assert (handler.taken, received) == (taken, whole), seed
        assert client.is_over == (leaves or end is not None), seed
        assert leaves or end is not None or connection.is_idle, seed
        assert served.receiving.budget.used == 0, seed
        return handler.most

    most: int = converse(main, seed=seed)
    return most


@pytest.mark.parametrize("first", range(0, SEEDS, SEEDS_OF_A_TEST))
def test_what_is_taken_and_answered_is_as_one_at_a_time(first):
    most = [check(seed) for seed in range(first, first + SEEDS_OF_A_TEST)]
    assert OWED_MAX < max(most) <= OWED_MAX + 1


def owing(way: Way, then: Any) -> Any:
    """One answer is set aside; behind it comes a request that ends this `way`, or waits."""

    async def main(tasks: Any, served: Any, connect: Any) -> Any:
        fates = [
            (0, Way.WAITS, SAME, 0, 50),
            (1, way, OTHER if way is Way.AT_ONCE else SAME, LARGE, 0),
        ]
        drawn = [
            Drawn(index, kind, api, size, 0, 0, 0, 0, after)
            for index, kind, api, size, after in fates
        ]
        served.handle = Handler(drawn, tasks, served.receiving.clock).handle
        client = await connect()
        for one in drawn:
            client.link.send(one.sent)
        await tasks.sleep(25)
        before = then(served, client)
        await tasks.sleep(100)
        return before, then(served, client)

    return converse(main)


@pytest.mark.parametrize("way", ENDS)
def test_a_connection_ends_in_the_turn_of_its_request(way):
    before, after = owing(way, lambda served, client: (bytes(client.received), client.is_over))
    assert before == (b"", False)
    assert after == (b"" if way is Way.IMPOSSIBLE else sized(b"0:"), True)


def test_what_waits_is_not_taken_when_the_connection_was_given_up():
    async def main(tasks: Any, served: Any, connect: Any) -> list[bytes]:
        taken, owed = [], []

        def handle(connection: Connection, frame: memoryview) -> None:
            taken.append(bytes(frame[2:]))
            owed.append(connection.set_aside(SAME))

        served.handle = handle
        client = await connect()
        client.say(pack(">h", SAME) + b"waits", pack(">h", OTHER) + b"behind it")
        await tasks.sleep(20)
        (connection,) = served.connections
        connection.end()
        connection.resume(owed[0])
        connection.reply(sized(b"too late"))
        return taken

    assert converse(main) == [b"waits"]


def test_a_frame_that_waits_is_held_once_in_the_budget():
    before, after = owing(Way.AT_ONCE, lambda served, client: served.receiving.budget.used)
    assert 0 <= before - LARGE < 100
    assert after == 0
