"""The bare loop does all that it claims to do."""

from __future__ import annotations

import socket
import threading

import pytest

from bench.versus.floor import ANSWER, Batches, answer, receive, send
from moldau.protocol.records.builder import BatchBuilder


def batch(size: int) -> bytes:
    builder = BatchBuilder()
    builder.append(1_750_000_000_000, None, bytes(size))
    return bytes(builder.build())


BATCHES = b"".join(batch(size) for size in (1, 70_000, 100, 1_000_000))


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_batches_are_written_as_they_came_however_they_were_cut(tmp_path, ends):
    ours, theirs = ends
    path = tmp_path / "floor"
    loop = threading.Thread(target=receive, args=(theirs, str(path)))
    loop.start()
    for start in range(0, len(BATCHES), 65_537):
        ours.sendall(BATCHES[start : start + 65_537])
    ours.shutdown(socket.SHUT_WR)
    loop.join()
    assert path.read_bytes() == BATCHES


def test_files_are_sent_one_after_the_other(tmp_path, ends):
    ours, theirs = ends
    paths = []
    for name in ("first", "second"):
        paths.append(tmp_path / name)
        paths[-1].write_bytes(name.encode() * 400_000)
    loop = threading.Thread(target=send, args=(theirs, *map(str, paths)))
    loop.start()
    expected = b"".join(path.read_bytes() for path in paths)
    assert ours.recv(len(expected), socket.MSG_WAITALL) == expected
    loop.join()


def test_each_batch_has_its_answer(tmp_path, ends):
    ours, theirs = ends
    loop = threading.Thread(target=answer, args=(theirs, str(tmp_path / "floor")))
    loop.start()
    for _ in range(3):
        ours.sendall(batch(100_000))
        assert ours.recv(len(ANSWER), socket.MSG_WAITALL) == ANSWER
    ours.shutdown(socket.SHUT_WR)
    loop.join()
    assert (tmp_path / "floor").read_bytes() == 3 * batch(100_000)


@pytest.mark.parametrize("size", [1, 5, 20, 21, 22, 99_999])
def test_a_damaged_batch_is_noticed_however_it_was_cut(size):
    whole = bytearray(batch(100) * 2)
    whole[-1] ^= 1
    with pytest.raises(AssertionError, match="damaged"):
        check_in_pieces(memoryview(whole), size)


def check_in_pieces(data: memoryview, size: int) -> None:
    batches = Batches()
    for start in range(0, len(data), size):
        batches.check(data[start : start + size])
