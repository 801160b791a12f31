"""A connection from the first byte to the last, in conversations with a simulated client."""

from __future__ import annotations

from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as some

from moldau.network.connection import TURN_FRAMES_MAX, Connection
from moldau.network.owed import OWED_MAX
from moldau.network.receiving import Receiving
from moldau.platform.simulated.clock import SimulatedClock
from tests.network.conversation import converse, framed
from tests.network.line import Line

LARGE = bytes(range(256)) * 1200
"""300 KiB: more than the shared buffer holds."""


def echo(frame):
    return framed(frame[::-1])


def test_frames_that_come_together_are_answered_in_their_order():
    async def main(tasks, served, connect):
        client = await connect()
        client.say(b"one", b"two", b"three")
        await tasks.sleep(10)
        return served.frames, bytes(client.received)

    frames, received = converse(main, answer=echo)
    assert frames == [b"one", b"two", b"three"]
    assert received == framed(b"eno") + framed(b"owt") + framed(b"eerht")


@given(cuts=some.lists(some.integers(1, 40), max_size=12))
def test_frames_may_be_cut_anywhere_on_their_way(cuts):
    stream = framed(b"first") + framed(b"") + framed(b"second, which is longer")

    async def main(tasks, served, connect):
        client = await connect()
        position = 0
        for cut in [*cuts, len(stream)]:
            client.link.send(stream[position : position + cut])
            position += cut
            await tasks.sleep(2)
        return served.frames

    assert converse(main, answer=echo) == [b"first", b"", b"second, which is longer"]


def test_a_frame_larger_than_the_shared_buffer_comes_whole_and_its_room_is_given_back():
    async def main(tasks, served, connect):
        client = await connect()
        client.say(b"small", LARGE, b"after")
        await tasks.sleep(100)
        return served.frames, served.receiving.budget.used

    assert converse(main, answer=echo) == ([b"small", LARGE, b"after"], 0)


def test_large_frames_of_all_connections_come_whole_in_the_same_memory():
    frames = [LARGE, LARGE[:270_000][::-1], LARGE[:299_999], LARGE * 2, LARGE]

    async def main(tasks, served, connect):
        clients = [await connect() for _ in range(2)]
        spares = set()
        for number, frame in enumerate(frames):
            clients[number % 2].say(frame, b"after")
            await tasks.sleep(100)
            spares.add(id(served.receiving.spare))
        return served.frames[::2], served.frames[1::2], len(spares)

    assert converse(main, answer=echo) == (frames, [b"after"] * 5, 2)


def test_a_peer_that_leaves_gives_the_memory_of_its_frame_back():
    async def main(tasks, served, connect):
        client = await connect()
        before = {id(served.receiving.shared), id(served.receiving.spare)}
        client.link.send(pack(">i", 500_000) + bytes(200_000))
        await tasks.sleep(10)
        meanwhile = served.receiving.spare
        client.link.abort()
        await tasks.sleep(10)
        return before == {id(served.receiving.shared), id(served.receiving.spare)}, meanwhile

    assert converse(main) == (True, None)


def test_a_large_frame_that_is_still_looked_at_is_not_written_over():
    async def main(tasks, served, connect):
        kept = []

        def keep(connection, frame):
            kept.append(frame)
            connection.reply(b"")

        served.handle = keep
        client = await connect()
        client.say(LARGE, LARGE[::-1])
        await tasks.sleep(100)
        return [bytes(frame) for frame in kept]

    assert converse(main) == [LARGE, LARGE[::-1]]


def test_while_a_request_is_in_work_no_other_of_its_connection_is_taken():
    async def main(tasks, served, connect):
        client = await connect()
        client.say(b"one", b"two")
        await tasks.sleep(10)
        before = list(served.frames)
        served.connections[0].reply(framed(b"answer"))
        await tasks.sleep(10)
        return before, served.frames, bytes(client.received)

    before, after, received = converse(main)
    assert before == [b"one"]
    assert after == [b"one", b"two"]
    assert received == framed(b"answer")


def test_every_frame_can_be_written_to_however_long_it_waited():
    """An append stamps batches where they lie; what cannot be written to goes the slow way."""

    async def main(tasks, served, connect):
        writable = []

        def note(connection, frame):
            writable.append(not frame.readonly)
            tasks.after(5, connection.done)

        served.handle = note
        client = await connect()
        client.say(b"one", b"two", b"three", LARGE)
        await tasks.sleep(100)
        return writable

    assert converse(main) == [True] * 4


def test_what_comes_during_the_work_waits_in_the_socket_and_is_taken_then():
    async def main(tasks, served, connect):
        client = await connect()
        client.say(b"one")
        await tasks.sleep(10)
        client.say(b"two")
        await tasks.sleep(10)
        before = list(served.frames)
        served.connections[0].done()
        await tasks.sleep(10)
        return before, served.frames

    assert converse(main) == ([b"one"], [b"one", b"two"])


def test_a_muted_connection_gets_its_answer_at_once_and_is_read_later():
    async def main(tasks, served, connect):
        client = await connect()
        client.say(b"one", b"two")
        await tasks.sleep(10)
        served.connections[0].reply(framed(b"answer"), mute_ms=500)
        await tasks.sleep(400)
        muted = list(served.frames), bytes(client.received)
        await tasks.sleep(200)
        return muted, served.frames

    muted, frames = converse(main)
    assert muted == ([b"one"], framed(b"answer"))
    assert frames == [b"one", b"two"]


def test_a_slow_reader_is_not_read_from_until_it_has_its_answer():
    async def main(tasks, served, connect):
        client = await connect()
        client.link.pause()
        client.say(b"one", b"two")
        await tasks.sleep(10)
        served.connections[0].reply(framed(LARGE))
        await tasks.sleep(10)
        before = list(served.frames)
        client.link.resume()
        await tasks.sleep(100)
        return before, served.frames, len(client.received)

    assert converse(main) == ([b"one"], [b"one", b"two"], len(LARGE) + 4)


def test_an_absurd_size_closes_that_connection_alone():
    async def main(tasks, served, connect):
        bad, large, good = await connect(), await connect(), await connect()
        bad.link.send(pack(">i", -1))
        large.link.send(pack(">i", (1 << 20) + 1))
        good.say(b"still here")
        await tasks.sleep(10)
        return bad.is_over, large.is_over, good.is_over, served.frames, len(served.lost)

    assert converse(main, answer=echo) == (True, True, False, [b"still here"], 2)


def test_unfinished_frames_wait_for_room_and_all_are_served_in_the_end():
    async def main(tasks, served, connect):
        clients = [await connect() for _ in range(4)]
        for client in clients:
            client.say(LARGE)
        await tasks.sleep(2000)
        return len(served.frames), served.receiving.budget.used

    assert converse(main, answer=echo, budget=128 * 1024) == (4, 0)


def test_a_peer_that_leaves_in_the_middle_of_a_frame_gives_its_room_back():
    async def main(tasks, served, connect):
        client = await connect()
        served.receiving.spare = None
        client.link.send(pack(">i", 500_000) + bytes(100))
        await tasks.sleep(10)
        unfinished = served.connections[0].is_unfinished, served.receiving.budget.used
        client.link.abort()
        await tasks.sleep(10)
        return unfinished, served.receiving.budget.used, len(served.lost)

    assert converse(main) == ((True, 500_004), 0, 1)


def test_an_answer_to_a_peer_that_has_gone_goes_nowhere():
    async def main(tasks, served, connect):
        client = await connect()
        client.say(b"one")
        await tasks.sleep(10)
        client.link.abort()
        await tasks.sleep(10)
        served.connections[0].reply(b"too late")
        served.connections[0].done()
        return repr(served.connections[0])

    assert "over" in converse(main)


def test_hanging_up_sends_what_is_unsent():
    async def main(tasks, served, connect):
        client = await connect()
        client.say(b"one", b"two")
        await tasks.sleep(10)
        served.connections[0].link.send(b"last words")
        served.connections[0].end()
        await tasks.sleep(10)
        return bytes(client.received), client.is_over, served.frames

    assert converse(main) == (b"last words", True, [b"one"])


def test_what_a_held_back_peer_sends_is_read_after_its_welcome():
    async def main(tasks, served, connect):
        client = await connect()
        served.connections[0].hold_back()
        client.say(b"one")
        await tasks.sleep(10)
        before = list(served.frames)
        served.connections[0].welcome()
        await tasks.sleep(10)
        return before, served.frames

    assert converse(main, answer=echo) == ([], [b"one"])


def test_who_sends_many_frames_at_once_lets_others_have_their_turn():
    async def main(tasks, served, connect):
        eager, modest = await connect(), await connect()
        for connection in served.connections:
            connection.hold_back()
        eager.say(*[b"eager"] * 500)
        modest.say(b"modest")
        await tasks.sleep(50)
        for connection in served.connections:
            connection.welcome()
        await tasks.sleep(50)
        return served.frames.index(b"modest"), len(served.frames)

    assert converse(main, answer=echo) == (TURN_FRAMES_MAX, 501)


def test_who_sends_costly_frames_at_once_has_a_turn_that_is_bounded_by_time():
    """Each takes 0.4 ms here: the third one is the last that may begin."""

    async def main(tasks, served, connect):
        eager, modest = await connect(), await connect()
        for connection in served.connections:
            connection.hold_back()
        eager.say(*[b"eager"] * 20)
        modest.say(b"modest")
        await tasks.sleep(50)
        clock = served.receiving.clock
        served.work = lambda: clock.advance_ns(400_000)
        for connection in served.connections:
            connection.welcome()
        await tasks.sleep(50)
        return served.frames.index(b"modest"), len(served.frames)

    assert converse(main, answer=echo) == (3, 21)


def test_after_their_first_turn_only_one_of_many_eager_connections_works_at_a_time():
    async def main(tasks, served, connect):
        clients = [await connect() for _ in range(5)]
        for connection in served.connections:
            connection.hold_back()
        for client in clients:
            client.say(*[b"eager"] * 40)
        await tasks.sleep(50)
        clock = served.receiving.clock
        served.work = lambda: clock.advance_ns(1_000_000)
        before = clock.monotonic_ns()
        gaps = []

        def look():
            nonlocal before
            gaps.append(clock.monotonic_ns() - before)
            before = clock.monotonic_ns()
            if len(served.frames) < 200:
                tasks.after(0, look)

        for connection in served.connections:
            connection.welcome()
        look()
        await tasks.sleep(500)
        return sorted(gaps)[-2:], len(served.frames)

    assert converse(main, answer=echo) == ([1_000_000, 5_000_000], 200)


def sent(frames, answer):
    """The calls to a link by which the answers to frames leave that came together."""
    line = Line(b"".join(map(framed, frames)))
    receiving = Receiving(SimulatedClock(), tasks=None)  # type: ignore[arg-type]  # nothing is muted
    Connection(line, receiving, answer, lambda gone: None).readable()
    return line.sent


def test_answers_to_small_requests_that_came_together_leave_together():
    def answer(connection, frame):
        connection.reply(bytes(frame))

    assert sent([b"one", b"two", b"three"], answer) == [b"onetwothree"]
    assert sent([b"one"], answer) == [b"one"]


def test_a_large_answer_and_one_in_parts_leave_behind_those_before_them():
    def answer(connection, frame):
        if frame == b"large":
            connection.reply(LARGE)
        elif frame == b"parts":
            connection.reply(b"a", b"b")
        else:
            connection.reply(bytes(frame))

    frames = [b"one", b"large", b"two", b"parts", b"three"]
    assert sent(frames, answer) == [b"one", LARGE, b"two", b"ab", b"three"]


@pytest.mark.parametrize("end", [Connection.end, Connection.abort, Connection.done])
def test_what_is_answered_leaves_before_the_one_that_is_not(end):
    def answer(connection, frame):
        if frame == b"end":
            end(connection)
        else:
            connection.reply(bytes(frame))

    assert sent([b"one", b"two", b"end"], answer) == [b"onetwo"]


def test_answers_that_the_network_does_not_take_at_once_keep_the_next_frames_waiting():
    """Those that were gathered, too: what is unsent is bounded for each connection."""

    async def main(tasks, served, connect):
        client = await connect()
        client.link.pause()
        client.say(*[b"%04d" % number for number in range(400)])
        await tasks.sleep(50)
        before = len(served.frames), served.connections[0].link.unsent
        client.link.resume()
        await tasks.sleep(500)
        return before, len(served.frames), len(client.received)

    (taken, unsent), in_the_end, received = converse(main, answer=lambda frame: frame * 800)
    assert 0 < taken < 400
    assert 0 < unsent <= TURN_FRAMES_MAX * 3200
    assert (in_the_end, received) == (400, 400 * 3200)


class Waiting:
    """Sets answers to frames of one API aside; all others are answered at once."""

    API = 7

    def __init__(self, served):
        self.owed = []
        self.taken = []
        served.handle = self.handle

    def handle(self, connection, frame):
        self.taken.append(bytes(frame[2:]))
        owed = connection.set_aside(self.API) if frame[2:3] == b"w" else None
        if owed is not None:
            self.owed.append(owed)
        elif frame[2:3] != b"w":
            connection.reply(framed(b"at once"))

    def answer(self, connection, index, answer):
        connection.resume(self.owed[index])
        connection.reply(framed(answer), b"")


def waits(name, api=Waiting.API):
    return pack(">h", api) + b"w" + name


def passes(name, api=Waiting.API):
    return pack(">h", api) + name


def aside(*frames, answers=(), pieces=False):
    """What is taken before and after the answers, which are given in this order; what is sent."""

    async def main(tasks, served, connect):
        waiting = Waiting(served)
        client = await connect()
        for frame in frames:
            client.say(frame)
            if pieces:
                await tasks.sleep(20)
        await tasks.sleep(50)
        (connection,) = served.connections
        steps = [(list(waiting.taken), bytes(client.received), connection.is_idle)]
        for index in answers:
            waiting.answer(connection, index, b"%d" % index)
            await tasks.sleep(50)
            steps.append((list(waiting.taken), bytes(client.received), connection.is_idle))
        return steps, served.receiving.budget.used

    return converse(main)


@pytest.mark.parametrize("pieces", [False, True])
def test_while_an_answer_is_set_aside_frames_of_its_api_are_taken(pieces):
    (before, after), used = aside(waits(b"1"), waits(b"2"), answers=[0], pieces=pieces)
    assert before == ([b"w1", b"w2"], b"", False)
    assert after == ([b"w1", b"w2"], framed(b"0"), False)
    assert used == 0


def test_answers_that_were_set_aside_leave_in_the_order_of_their_frames():
    steps, _ = aside(waits(b"1"), waits(b"2"), waits(b"3"), answers=[2, 0, 1])
    assert [sent for _, sent, _ in steps] == [
        b"",
        b"",
        framed(b"0"),
        framed(b"0") + framed(b"1") + framed(b"2"),
    ]
    assert [idle for _, _, idle in steps] == [False, False, False, True]


@pytest.mark.parametrize("pieces", [False, True])
def test_a_frame_of_another_api_waits_for_all_that_is_set_aside(pieces):
    other = passes(b"other", api=Waiting.API + 1)
    (before, between, after), _ = aside(
        waits(b"1"), waits(b"2"), other, waits(b"3"), answers=[0, 1], pieces=pieces
    )
    assert before == ([b"w1", b"w2"], b"", False)
    assert between == ([b"w1", b"w2"], framed(b"0"), False)
    assert after[0] == [b"w1", b"w2", b"other", b"w3"]
    assert after[1] == framed(b"0") + framed(b"1") + framed(b"at once")


def test_a_large_frame_of_another_api_waits_too():
    other = passes(LARGE, api=Waiting.API + 1)
    (before, after), used = aside(waits(b"1"), other, waits(b"2"), answers=[0], pieces=True)
    assert before == ([b"w1"], b"", False)
    assert after[0] == [b"w1", LARGE, b"w2"]
    assert used == 0


def test_an_answer_that_is_known_at_once_leaves_behind_those_before_it():
    (before, after), _ = aside(waits(b"1"), passes(b"2"), passes(b"3"), answers=[0])
    assert before == ([b"w1", b"2"], b"", False)
    assert after == (
        [b"w1", b"2", b"3"], framed(b"0") + framed(b"at once") + framed(b"at once"), True
    )  # fmt: skip


def test_so_many_answers_are_set_aside_and_no_more():
    frames = [waits(b"%d" % number) for number in range(OWED_MAX + 2)]
    ((taken, _, _),), _ = aside(*frames)
    assert len(taken) == OWED_MAX + 1


def test_an_answer_that_was_set_aside_for_a_peer_that_has_gone_goes_nowhere():
    async def main(tasks, served, connect):
        waiting = Waiting(served)
        client = await connect()
        client.say(waits(b"1"), waits(b"2"))
        await tasks.sleep(20)
        client.link.abort()
        await tasks.sleep(20)
        waiting.answer(served.connections[0], 0, b"late")
        return served.lost, served.connections[0].set_aside(Waiting.API)

    lost, owed = converse(main)
    assert len(lost) == 1
    assert owed is None
