"""All implementations of a link, judged by the same promises."""

from __future__ import annotations

from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.files import SystemFiles
from tests.platform.ports.both_networks import pair

LARGE = bytes(range(256)) * 4 * 8192
"""8 MiB: more than sockets and windows take at once."""


def test_bytes_arrive_in_order_whatever_their_number(run_links):
    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        caller.link.send(b"first", b"", memoryview(LARGE), b"last")
        caller.link.close()
        await called.is_over.wait()
        return bytes(called.received), called.reasons, caller.reasons

    assert run_links(main) == (
        b"first" + LARGE + b"last",
        ["closed by the peer"],
        ["closed here"],
    )


def test_a_slice_of_a_file_keeps_its_place_between_buffers(run_links, tmp_path):
    path = str(tmp_path / "file")
    file = SystemFiles().open(path, create=True)
    file.append(LARGE)

    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        caller.link.send(b"before")
        caller.link.send_file(file, 3, len(LARGE) - 10, (b" and", b"", b" head"))
        caller.link.send_file(file, 0, 0, (b"only",))
        caller.link.send(b"after")
        caller.link.close()
        await called.is_over.wait()
        return bytes(called.received)

    assert run_links(main) == b"before and head" + LARGE[3:-7] + b"onlyafter"
    file.close()


def test_a_receiver_that_pauses_stops_its_sender_and_resuming_frees_it(run_links):
    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        called.link.pause()
        caller.link.send(LARGE)
        await tasks.sleep(20)
        before = caller.link.unsent, len(called.received)
        called.link.resume()
        await caller.is_drained.wait()
        return before, caller.link.unsent

    (unsent, received), at_the_end = run_links(main)
    assert unsent > 0
    assert received == 0
    assert at_the_end == 0


def test_both_directions_are_independent(run_links):
    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        caller.link.send(b"question")
        called.link.send(b"answer")
        while not (caller.received and called.received):
            await tasks.sleep(1)
        return bytes(caller.received), bytes(called.received)

    assert run_links(main) == (b"answer", b"question")


def test_an_aborted_link_is_lost_once_at_both_ends(run_links):
    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        called.link.pause()
        caller.link.send(LARGE)
        caller.link.abort()
        caller.link.abort()
        called.link.resume()
        await called.is_over.wait()
        await tasks.sleep(5)
        return caller.reasons, len(called.reasons), caller.link.unsent

    assert run_links(main) == (["aborted here"], 1, 0)


def test_a_file_that_ends_too_early_ends_the_link(run_links, tmp_path):
    file = SystemFiles().open(str(tmp_path / "short"), create=True)
    file.append(b"four")

    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        caller.link.send_file(file, 0, 100)
        await called.is_over.wait()
        return bytes(called.received), caller.reasons

    assert run_links(main) == (b"four", [f"{tmp_path}/short ended before it was sent"])
    file.close()


def test_what_the_network_takes_at_once_needs_no_call_back(run_links):
    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        caller.link.send(b"short")
        while not called.received:
            await tasks.sleep(1)
        return caller.is_drained.is_settled()

    assert run_links(main) is False


def test_many_sends_of_any_size_arrive_as_one_stream(run_links, seed):
    random = SeededRandom(seed)
    pieces = [random.randbytes(random.randrange(0, 5_000)) for _ in range(500)]

    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        for piece in pieces:
            caller.link.send(piece[: len(piece) // 2], piece[len(piece) // 2 :])
            if random.random() < 0.1:
                called.link.pause()
                await tasks.sleep(random.random())
                called.link.resume()
        caller.link.close()
        await called.is_over.wait()
        return bytes(called.received)

    assert run_links(main) == b"".join(pieces)


def test_the_end_comes_after_the_last_byte_however_slowly_it_is_read(run_links):
    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        called.read_at_most(10)
        called.link.pause()
        caller.link.send(b"x" * 1_000)
        caller.link.close()
        await tasks.sleep(5)
        called.link.resume()
        await called.is_over.wait()
        return len(called.received)

    assert run_links(main) == 1_000


def test_a_link_that_is_closing_receives_no_more(run_links):
    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        called.link.pause()
        caller.link.send(LARGE)
        caller.link.close()
        called.link.send(b"too late")
        await tasks.sleep(5)
        return bytes(caller.received), list(caller.reasons)

    assert run_links(main) == (b"", [])
