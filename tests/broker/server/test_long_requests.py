"""Requests that take long to read: answered as any other, one by one, with others between."""

from __future__ import annotations

import pytest

from moldau.broker.server.apis import BROKER
from moldau.broker.server.call import CLOSE, LATER
from moldau.broker.server.dispatch import Dispatcher
from moldau.broker.server.long_requests import LONG_BYTES, Room
from moldau.errors import KafkaError
from moldau.network.connection import Connection
from moldau.network.receiving import Receiving
from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.group.find_coordinator import (
    FindCoordinatorRequest,
    FindCoordinatorResponse,
)
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import answers_in, broker_with, frame_of
from tests.broker.server.hasty_clock import HastyClock
from tests.network.conversation import Client

FIND, VERSION = FindCoordinatorRequest.KEY, 4
KEYS = [f"group {number:05}" for number in range(2_000)]
ASKED = FindCoordinatorRequest(key_type=0, coordinator_keys=KEYS)
SHORT = FindCoordinatorRequest(key_type=0, coordinator_keys=["one"])


def found(call, broker):
    """Each key where it cannot be."""
    one = FindCoordinatorResponse.Coordinator
    coordinators = [
        one(key=key, node_id=-1, host="", port=-1, error_code=0, error_message="")
        for key in call.request.coordinator_keys
    ]
    return FindCoordinatorResponse(coordinators=coordinators)


def sliced(call, broker):
    yield
    return found(call, broker)


async def waiting(call, broker):
    await broker.tasks.sleep(5)
    return found(call, broker)


def later(call, broker):
    broker.tasks.after(5, lambda: call.answer(found(call, broker)))
    return LATER


def converse(main, handler):
    """Run `main(tasks, client, dispatcher)`; each slice is over at once."""

    async def begin(tasks):
        network = SimulatedWorld(tasks, SeededRandom(1)).host("here")
        dispatcher = Dispatcher(BROKER, lambda key, module: handler)
        broker = broker_with(tasks=tasks)
        broker.clock = HastyClock()
        dispatcher.serve(broker)
        receiving = Receiving(broker.clock, tasks)
        listener = await network.listen(
            Address("here", 0),
            lambda link: Connection(link, receiving, dispatcher.handle, lambda gone: None),
        )
        clients = []

        def own(link):
            clients.append(Client(link))
            return clients[-1]

        await network.connect(listener.address, own)
        await main(tasks, clients, dispatcher, lambda: network.connect(listener.address, own))
        await tasks.sleep(5_000)
        return clients, dispatcher

    return simulated_tasks.run(begin)


def keys_in(client, count=1):
    return [
        [one.key for one in answer.coordinators]
        for _, answer in answers_in(client.received, FIND, *[VERSION] * count)
    ]


@pytest.mark.parametrize("handler", [found, sliced, waiting, later])
def test_a_long_request_is_answered_however_it_is_handled(handler):
    async def main(tasks, clients, dispatcher, connect):
        frame = frame_of(ASKED, VERSION)
        assert len(frame) > LONG_BYTES
        clients[0].say(frame)

    (client,), dispatcher = converse(main, handler)
    assert keys_in(client) == [KEYS]
    assert (dispatcher.taken, dispatcher.bugs) == (1, 0)


def test_requests_behind_a_long_one_are_answered_behind_it():
    async def main(tasks, clients, dispatcher, connect):
        clients[0].say(frame_of(ASKED, VERSION), frame_of(SHORT, VERSION))

    (client,), _ = converse(main, sliced)
    assert keys_in(client, 2) == [KEYS, ["one"]]


@pytest.mark.parametrize("colour", ["plain", "async", "sliced"])
def test_a_refusal_of_a_long_request_is_repeated_for_each_that_it_names(colour):
    def refuse(call, broker):
        raise KafkaError(ErrorCode.INVALID_REQUEST, "not so")

    async def wait(call, broker):
        refuse(call, broker)

    def work(call, broker):
        yield
        refuse(call, broker)

    async def main(tasks, clients, dispatcher, connect):
        clients[0].say(frame_of(ASKED, VERSION))

    handler = {"plain": refuse, "async": wait, "sliced": work}[colour]
    (client,), dispatcher = converse(main, handler)
    ((_, answer),) = answers_in(client.received, FIND, VERSION)
    assert [one.key for one in answer.coordinators] == KEYS
    assert {one.error_code for one in answer.coordinators} == {ErrorCode.INVALID_REQUEST}
    assert dispatcher.bugs == 0


def test_a_bug_that_a_long_request_meets_is_counted():
    def handle(call, broker):
        raise KeyError("oops")

    async def main(tasks, clients, dispatcher, connect):
        clients[0].say(frame_of(ASKED, VERSION))

    (client,), dispatcher = converse(main, handle)
    ((_, answer),) = answers_in(client.received, FIND, VERSION)
    assert answer.coordinators[0].error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    assert dispatcher.bugs == 1


def test_a_long_frame_that_breaks_off_closes_its_connection():
    async def main(tasks, clients, dispatcher, connect):
        clients[0].say(frame_of(ASKED, VERSION)[:-2])

    (client,), dispatcher = converse(main, found)
    assert (client.is_over, bytes(client.received), dispatcher.bugs) == (True, b"", 0)


def test_a_handler_may_close_upon_a_long_request():
    async def main(tasks, clients, dispatcher, connect):
        clients[0].say(frame_of(ASKED, VERSION))

    (client,), _ = converse(main, lambda call, broker: CLOSE)
    assert (client.is_over, bytes(client.received)) == (True, b"")


def test_what_cannot_be_written_closes_the_connection_as_after_a_short_request():
    def handle(call, broker):
        answer = found(call, broker)
        answer.coordinators[0].key = "x" * 40_000
        return answer

    async def main(tasks, clients, dispatcher, connect):
        clients[0].say(frame_of(ASKED, VERSION))

    (client,), dispatcher = converse(main, handle)
    assert (client.is_over, dispatcher.bugs) == (True, 1)


def test_only_so_many_bytes_of_long_requests_are_worked_on_at_a_time():
    async def main(tasks):
        room, seen = Room(100), []

        async def work(name, size):
            await room.enter(size, tasks.promise)
            seen.append(f"{name} begins")
            await tasks.sleep(10)
            seen.append(f"{name} ends")
            room.leave(size)

        sizes = {"huge": 500, "a": 40, "b": 60, "c": 10}
        for task in [tasks.spawn(name, work(name, size)) for name, size in sizes.items()]:
            await task
        return seen, repr(room)

    seen, budget = simulated_tasks.run(main)
    assert seen[:5] == ["huge begins", "huge ends", "a begins", "b begins", "a ends"]
    assert seen[5:] == ["b ends", "c begins", "c ends"]
    assert budget == "Room(0 of 100 bytes, 0 wait)"


def test_no_long_request_is_read_before_there_is_room():
    """Frames wait as bytes."""
    at_once, most = 0, 0

    async def handle(call, broker):
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await broker.tasks.sleep(5)
        at_once -= 1
        return found(call, broker)

    async def main(tasks, clients, dispatcher, connect):
        dispatcher._long._room = Room(2 * len(frame_of(ASKED, VERSION)))
        for _ in range(4):
            await connect()
        for client in clients:
            client.say(frame_of(ASKED, VERSION))

    clients, _ = converse(main, handle)
    assert [keys_in(client) for client in clients] == [[KEYS]] * 5
    assert most == 2


def test_a_request_of_another_api_goes_the_same_way():
    topic = MetadataRequest.MetadataRequestTopic
    asked = MetadataRequest(topics=[topic(name=f"topic {n:05}") for n in range(2_000)])
    seen = []

    def handle(call, broker):
        seen.append(len(call.request.topics))

    async def main(tasks, clients, dispatcher, connect):
        clients[0].say(frame_of(asked, 8))

    converse(main, handle)
    assert seen == [2_000]
