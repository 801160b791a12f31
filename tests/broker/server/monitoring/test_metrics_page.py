"""What Prometheus gets when it asks, and what others get."""

import json

import pytest

from moldau.broker.metrics.registry import Registry
from moldau.broker.server.monitoring.metrics_page import (
    ANSWER_MS_MAX,
    CONNECTIONS_MAX,
    PIECES_PER_TURN_MAX,
    REQUEST_MS_MAX,
    REST_MS,
    MetricsPages,
    open_metrics_page,
)
from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from tests.network.conversation import Client


class SteppedClock:
    def now_ms(self):
        return 1_700_000_000_000

    def monotonic_ns(self):
        return 0


def ask(*pieces):
    """What comes back, and whether the connection is over."""

    async def main(tasks):
        network = SimulatedWorld(tasks, SeededRandom(1)).host("here")
        registry = Registry()
        registry.meter("kafka.server", "T", "NPerSec").mark(3)
        page = await open_metrics_page(network, Address("here", 0), registry, tasks, SteppedClock())
        clients = []

        def own(link):
            clients.append(Client(link))
            return clients[0]

        await network.connect(page.address, own)
        for piece in pieces:
            clients[0].link.send(piece)
            await tasks.sleep(5)
        await tasks.sleep(20)
        return bytes(clients[0].received), clients[0].is_over

    return simulated_tasks.run(main)


def test_a_request_gets_all_metrics_however_it_is_cut():
    answer, is_over = ask(b"GET /met", b"rics HTTP/1.1\r\nHost: x\r\n", b"\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert b"Content-Length: %d" % len(body) in head
    assert body == b"# TYPE kafka_server_t_n_total counter\nkafka_server_t_n_total 3\n"
    assert is_over


@pytest.mark.parametrize(
    ("request_line", "status"), [(b"GET / HTTP/1.1", b"404"), (b"POST /metrics HTTP/1.1", b"405")]
)
def test_whatever_else_is_asked_is_refused(request_line, status):
    answer, is_over = ask(request_line + b"\r\n\r\n")
    assert answer.split()[1] == status
    assert is_over


@pytest.mark.parametrize(
    "pieces",
    [
        (b"GET /jolokia/read/kafka.server:type=T,name=NPerSec/Count HTTP/1.1\r\n\r\n",),
        (
            b"POST /jolokia/ HTTP/1.1\r\ncontent-LENGTH: 84\r\n\r\n" + b'{"type": "read", ',
            b'"mbean": "kafka.server:name=NPerSec,type=T", "attribute": "Count"}' + b" " * 99,
        ),
    ],
    ids=["GET", "POST in two pieces"],
)
def test_a_bean_is_read(pieces):
    answer, is_over = ask(*pieces)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"Content-Type: application/json" in head
    assert (json.loads(body)["value"], json.loads(body)["status"]) == (3, 200)
    assert is_over


class SetClock(SteppedClock):
    ns = 0

    def monotonic_ns(self):
        return self.ns


def test_the_first_reading_has_rates_since_the_page_was_opened():
    async def main(tasks):
        registry, clock = Registry(), SetClock()
        registry.meter("kafka.server", "T", "NPerSec").mark(50)
        pages = MetricsPages(registry, tasks, clock)
        clock.ns = 10_000_000_000
        answer = await pages.jolokia.answer_get("/read/kafka.server:type=T,name=NPerSec/MeanRate")
        return json.loads(answer)["value"]

    assert simulated_tasks.run(main) == 5.0


def test_a_body_that_is_too_large_is_refused_before_it_comes():
    answer, is_over = ask(b"POST /jolokia HTTP/1.1\r\nContent-Length: 99999\r\n\r\n")
    assert answer.split()[1] == b"413"
    assert is_over


def test_a_body_that_never_comes_ends_with_the_time_for_requests():
    answer, is_over = ask(b"POST /jolokia HTTP/1.1\r\nContent-Length: 10\r\n\r\n{}")
    assert (answer, is_over) == (b"", False)


@pytest.mark.parametrize("method", [b"PUT", b"DELETE"])
def test_jolokia_is_not_written_to(method):
    answer, _ = ask(method + b" /jolokia/read/x HTTP/1.1\r\n\r\n")
    assert answer.split()[1] == b"405"


def test_endless_headers_end_the_connection():
    answer, is_over = ask(b"GET /metrics HTTP/1.1\r\n" + b"x" * 10_000)
    assert (answer, is_over) == (b"", True)


def served(main, registry=None):
    """What `main(connect, pages, tasks)` returns, with a page that is open."""

    async def begin(tasks):
        network = SimulatedWorld(tasks, SeededRandom(1)).host("here")
        pages = MetricsPages(registry or Registry(), tasks, SteppedClock())
        listener = await network.listen(Address("here", 0), pages.take_over)

        async def connect():
            clients = []

            def own(link):
                clients.append(Client(link))
                return clients[0]

            await network.connect(listener.address, own)
            await tasks.sleep(5)
            return clients[0]

        return await main(connect, pages, tasks)

    return simulated_tasks.run(begin)


@pytest.mark.parametrize("half", [b"", b"GET /metr", b"GET /metrics HTTP/1.1\r\nHost: x\r\n"])
def test_half_a_request_is_closed_after_a_while(half):
    async def main(connect, pages, tasks):
        client = await connect()
        client.link.send(half)
        await tasks.sleep(REQUEST_MS_MAX / 2)
        early = client.is_over
        client.link.send(b"x")  # that it goes on slowly is no reason to wait for longer
        await tasks.sleep(REQUEST_MS_MAX / 2)
        return early, client.is_over, len(pages)

    assert served(main) == (False, True, 0)


def test_who_takes_nothing_of_the_answer_is_closed_after_a_while():
    registry = Registry()
    for number in range(5_000):
        registry.meter("kafka.server", f"Long{number:05}", "PerSec").mark()

    async def main(connect, pages, tasks):
        client = await connect()
        client.link.pause()
        client.link.send(b"GET /metrics HTTP/1.1\r\n\r\n")
        await tasks.sleep(ANSWER_MS_MAX / 2)
        early = len(pages)
        await tasks.sleep(ANSWER_MS_MAX / 2 + 100)
        return early, len(pages)

    assert served(main, registry) == (1, 0)


def test_a_long_page_rests_between_its_slices_while_others_are_served():
    registry = Registry()
    for number in range(5_000):
        registry.meter("kafka.server", f"Long{number:05}", "PerSec").mark()

    async def main(connect, pages, tasks):
        client = await connect()
        client.link.send(b"GET /metrics HTTP/1.1\r\n\r\n")
        await tasks.sleep(5_000 // PIECES_PER_TURN_MAX * REST_MS)
        early = bytes(client.received)
        await tasks.sleep(5_000 * REST_MS)
        return early, bytes(client.received)

    early, late = served(main, registry)
    assert early == b""
    assert late.count(b"\nkafka_server_long") == 5_000


def test_silent_clients_make_room_for_those_who_ask():
    async def main(connect, pages, tasks):
        silent = [await connect() for _ in range(CONNECTIONS_MAX)]
        client = await connect()
        client.link.send(b"GET /metrics HTTP/1.1\r\n\r\n")
        await tasks.sleep(50)
        return [one.is_over for one in silent], bytes(client.received), len(pages)

    gone, answer, count = served(main)
    assert gone == [True] + [False] * (CONNECTIONS_MAX - 1)
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert count == CONNECTIONS_MAX - 1
