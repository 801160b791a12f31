"""What a program gets for what goes wrong: an error with a cause and a remedy, and nothing stays.

After each test there are the threads and the sockets that were there before it.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import moldau
from moldau.client import (
    BufferFullError,
    ClientError,
    ClosedError,
    RecordTooLargeError,
    SerializationError,
    TimedOutError,
)
from moldau.client.errors import UnresolvedError
from moldau.testing import Node

PATIENCE_MS = 300
LEAVE_S = 60
ANSWER_MS = 1500
"""For a server that answers, in a thread of this process."""
SOON = {"default_api_timeout_ms": PATIENCE_MS, "request_timeout_ms": PATIENCE_MS}
SENDING = {"delivery_timeout_ms": PATIENCE_MS, "max_block_ms": PATIENCE_MS, "linger_ms": 0}
GIVE_UP = {"request_timeout_ms": PATIENCE_MS - 100, **SENDING}


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with Node() as made, moldau.Producer(made.bootstrap) as producer:
        producer.send("here", b"one").result(LEAVE_S)
        producer.send("here", b"two").result(LEAVE_S)
        yield made


def sockets() -> int:
    """How many this process has open."""
    count = 0
    for link in Path("/proc/self/fd").iterdir():
        try:
            count += str(link.readlink()).startswith("socket:")
        except OSError:
            continue  # the listing's own
    return count


@pytest.fixture(autouse=True)
def nothing_stays(node: Node) -> Iterator[None]:
    node.faults.clear()
    threads, opened = set(threading.enumerate()), sockets()
    yield
    until = time.monotonic() + LEAVE_S
    while set(threading.enumerate()) - threads or sockets() > opened:
        assert time.monotonic() < until, (threading.enumerate(), sockets(), opened)
        time.sleep(0.02)


@contextmanager
def deaf_port(answer: bytes = b"") -> Iterator[str]:
    """Takes connections, and answers each with these bytes, whatever is asked."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    peer, _ = server.accept()
                except OSError:
                    return
                peer.sendall(answer)
                peer.close()

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def closed_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


def errors_at(server: str, patience_ms: int = PATIENCE_MS) -> list[ClientError]:
    """What each face says of such a server."""
    found = []
    soon = dict.fromkeys(SOON, patience_ms)
    with moldau.Admin(server, **soon) as admin, pytest.raises(ClientError) as one:
        admin.list_topics()
    found.append(one.value)
    with moldau.Consumer(server, **soon) as consumer, pytest.raises(ClientError) as one:
        consumer.beginning_offsets([("here", 0)])
    found.append(one.value)
    with moldau.Producer(server, **GIVE_UP) as producer:
        delivery = producer.send("here", b"x")
        with pytest.raises(ClientError) as one:
            delivery.result(LEAVE_S)
    return [*found, one.value]


def test_a_broker_that_is_not_there_is_named_with_the_setting_that_ended_the_wait():
    server = closed_port()
    for error in errors_at(server):
        assert isinstance(error, TimedOutError)
        assert server in str(error)
        assert "refused" in str(error)
        assert ".ms)" in str(error)


def test_a_host_that_is_not_known_is_named():
    for error in errors_at("no-such-host.invalid:9092"):
        assert isinstance(error, UnresolvedError)
        assert "no-such-host.invalid" in str(error)


def test_what_speaks_another_protocol_is_named():
    with deaf_port(b"HTTP/1.1 400 Bad Request\r\n\r\n") as server:
        for error in errors_at(server, ANSWER_MS):
            assert server in str(error)


def test_a_delivery_that_expires_names_its_cause_and_is_counted_once(node):
    node.faults.error("Produce", "NOT_ENOUGH_REPLICAS")
    seen = []
    with moldau.Producer(node.bootstrap, **GIVE_UP) as producer:
        delivery = producer.send("here", b"x", on_delivery=lambda *came: seen.append(came))
        with pytest.raises(TimedOutError, match=r"NOT_ENOUGH_REPLICAS") as late:
            delivery.result(LEAVE_S)
    assert "delivery.timeout.ms" in str(late.value)
    assert [error for _, error in seen] == [late.value]


def test_a_record_that_is_too_large_fails_alone(node):
    with moldau.Producer(node.bootstrap, max_request_size=1000) as producer:
        large, small = producer.send("here", bytes(2000)), producer.send("here", b"three")
        with pytest.raises(RecordTooLargeError, match=r"max\.request\.size"):
            large.result(LEAVE_S)
        assert small.result(LEAVE_S).topic == "here"


def fill(producer: moldau.Producer) -> None:
    for _ in range(100):
        producer.send("here", bytes(100))


def test_more_than_the_buffer_holds_waits_and_then_says_so():
    settings = {**GIVE_UP, "delivery_timeout_ms": 5000, "buffer_memory": 1000}
    with moldau.Producer(closed_port(), **settings) as producer:
        with pytest.raises(BufferFullError, match=r"max\.block\.ms"):
            fill(producer)
        producer.close(0)


def read_on(consumer: moldau.Consumer) -> None:
    while True:
        consumer.poll(0.2)


def test_a_poison_record_is_named_and_can_be_passed(node):
    given = {"auto_offset_reset": "earliest", "value_deserializer": "json"}
    with moldau.Consumer(node.bootstrap, **given) as consumer:
        consumer.assign([("here", 0)])
        with pytest.raises(SerializationError) as poison:
            read_on(consumer)
        assert "here" in str(poison.value)


@pytest.mark.parametrize("face", [moldau.Producer, moldau.Consumer, moldau.Admin])
def test_a_closed_client_says_so_from_any_thread(node, face):
    client = face(node.bootstrap)
    client.close()
    client.close()
    found: list[BaseException] = []

    def use() -> None:
        try:
            asks = {"Producer": "flush", "Consumer": "assignment", "Admin": "list_topics"}
            getattr(client, asks[face.__name__])()
        except ClosedError as error:
            found.append(error)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert "make a new one" in str(found[0])


@pytest.mark.parametrize("face", [moldau.Producer, moldau.Consumer, moldau.Admin])
def test_a_fork_leaves_a_client_behind_and_says_so(node, face):
    asks = {"Producer": "flush", "Consumer": "assignment", "Admin": "list_topics"}
    with face(node.bootstrap) as client:
        child = os.fork()
        if not child:
            try:
                getattr(client, asks[face.__name__])()
            except ClosedError as error:
                os._exit(7 if "fork" in str(error) else 1)
            finally:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        getattr(client, asks[face.__name__])()
