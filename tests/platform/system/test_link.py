"""Answers that wait in the outbox arrive as if they had not waited."""

from __future__ import annotations

import socket

import pytest

from moldau.platform.ports.network import Address
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.link import LONG_BYTES, MSG_MORE
from moldau.platform.system.outbox import HELD_BYTES_MAX
from tests.platform.ports.both_networks import HERE, in_system

QUESTION = b"?"
WAIT_S = 10
FULL_CHUNKS = 40
"""More than the two ends of a connection have room for."""


class Answerer:
    """Does with a link what a test says, when it is asked."""

    def __init__(self, link, answer):
        self.link = link
        self._answer = answer
        self._buffer = bytearray(LONG_BYTES * 8)

    def readable(self):
        size = self.link.receive_into(self._buffer)
        if size:
            self._answer(self.link, size)

    def all_sent(self):
        """Nothing is waited for."""

    def lost(self, reason):
        """So be it."""


def ask_all(answer, questions):
    """What comes back for each question, where all come in one turn of the loop."""

    async def main(tasks, network):
        listener = await network.listen(Address(HERE, 0), lambda link: Answerer(link, answer))
        clients = [socket.create_connection(listener.address, timeout=WAIT_S) for _ in questions]
        while len(network._links) < len(clients):
            await tasks.sleep(1)
        for client, question in zip(clients, questions, strict=True):
            client.sendall(question)
        return [await tasks.offload(read_all, client) for client in clients]

    return in_system(main)


def read_all(client):
    with client:
        client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(1 << 16), b""))


def close_behind(link):
    link.send(b"one")
    link.close()


def abort_behind(link):
    link.send(b"one")
    link.abort()


def send_more(link):
    link.send(b"one")
    link.send(b" two")
    link.send(b" three", b" four")


def send_much(link):
    link.send(b"one")
    link.send(bytes(HELD_BYTES_MAX + 1))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (close_behind, b"one"),
        (abort_behind, b"one"),
        (send_more, b"one two three four"),
        (send_much, b"one" + bytes(HELD_BYTES_MAX + 1)),
    ],
)
@pytest.mark.parametrize("count", [1, 2, 40])
def test_what_was_answered_arrives_before_whatever_comes_after(answer, expected, count):
    answers = ask_all(lambda link, _: answer(link), [QUESTION] * count)
    assert answers == [expected] * count


def test_an_answer_that_the_socket_has_no_room_for_arrives_though_the_link_is_closed_behind_it():
    chunk = bytes(HELD_BYTES_MAX)

    def fill_and_close(link, size):
        link._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, HELD_BYTES_MAX)
        for _ in range(size):
            link.send(chunk)
        link.close()

    questions = [QUESTION * size for size in range(1, FULL_CHUNKS)]
    sizes = [len(answer) for answer in ask_all(fill_and_close, questions)]
    assert sizes == [len(chunk) * len(question) for question in questions]


class NotingSocket:
    """A socket that remembers with which flags it was given buffers."""

    def __init__(self, inner):
        self._inner = inner
        self.flags = []

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def sendmsg(self, buffers, beside, flags):
        self.flags.append((b"".join(buffers), flags))
        return self._inner.sendmsg(buffers, beside, flags)


def test_what_stands_before_a_slice_leaves_in_one_packet_with_it(tmp_path):
    file = SystemFiles().open(str(tmp_path / "file"), create=True)
    file.append(b"slice")
    noting = []

    def answer(link, _size):
        link._socket = NotingSocket(link._socket)
        noting.append(link._socket)
        link.send_file(file, 0, 5, (b"head ", b"of "))
        link.send_file(file, 1, 4, (b", ",))
        link.send(b" and", b" end")

    assert ask_all(answer, [QUESTION]) == [b"head of slice, lice and end"]
    assert noting[0].flags == [(b"head of ", MSG_MORE), (b", ", MSG_MORE), (b" and end", 0)]
    file.close()
