"""Requests through a dispatcher: what is answered, what is refused, and what closes."""

from __future__ import annotations

from struct import pack

import pytest

from moldau.errors import KafkaError, StorageError
from moldau.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.messages.security.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
)
from moldau.metadata.settings import Quotas as QuotaImage
from moldau.network.connection import Connection
from moldau.network.receiving import Receiving
from moldau.ports.network import Address
from moldau.server import dispatch
from moldau.server.apis import BROKER
from moldau.server.call import HANG_UP, LATER
from moldau.server.dispatch import Dispatcher, error_of
from moldau.server.quotas import Quotas
from moldau.simulated import tasks as simulated_tasks
from moldau.simulated.clock import SimulatedClock
from moldau.simulated.network import SimulatedWorld
from moldau.simulated.randomness import SeededRandom
from moldau.wire.error_codes import ErrorCode
from tests.network.conversation import Client
from tests.server.asking import answers_in, broker_with, frame_of

ASK = ApiVersionsRequest(client_software_name="a", client_software_version="1")
SAID = ApiVersionsResponse(error_code=0, api_keys=[], throttle_time_ms=0)


def converse(main, handler=None, monkeypatch=None):
    """Run `main(tasks, client, dispatcher)` with a client that is connected to a dispatcher."""
    clock = SimulatedClock()
    if handler is not None:
        monkeypatch.setattr(dispatch, "handler_of", lambda key, module: handler)

    async def begin(tasks):
        network = SimulatedWorld(tasks, SeededRandom(1)).host("here")
        dispatcher = Dispatcher(BROKER)
        broker = broker_with(tasks=tasks)
        broker.clock = clock
        dispatcher.serve(broker)
        receiving = Receiving(clock, tasks)
        listener = await network.listen(
            Address("here", 0),
            lambda link: Connection(link, receiving, dispatcher.handle, lambda gone: None),
        )
        clients = []

        def own(link):
            clients.append(Client(link))
            return clients[0]

        await network.connect(listener.address, own)
        await main(tasks, clients[0], dispatcher)
        await tasks.sleep(50)

        return clients[0], dispatcher

    return simulated_tasks.run(begin, clock)


def saying(*frames):
    async def main(tasks, client, dispatcher):
        client.say(*frames)

    return main


def test_requests_are_answered_with_their_correlation_ids_in_their_versions():
    frames = [frame_of(ASK, version, correlation_id=version) for version in (4, 0, 3)]
    client, _ = converse(saying(*frames))
    answers = answers_in(client.received, 18, 4, 0, 3)
    assert [number for number, _ in answers] == [4, 0, 3]
    assert all(answer.api_keys for _, answer in answers)


def test_a_version_of_api_versions_that_is_not_known_is_answered_as_version_0():
    client, _ = converse(saying(frame_of(ASK, 4, says_version=77) + b"whatever"))
    assert bytes(client.received).hex() == "000000100000000700230000000100120000" + "0004"


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"short",
        pack(">hhih", 4711, 0, 1, -1),
        pack(">hhih", 4, 0, 1, -1),
        pack(">hhih", 0, 2, 1, -1),
        pack(">hhih", 18, 0, 1, 500),
        pack(">hhih", 18, 3, 1, 1) + b"\xff\0",
        pack(">hhih", 18, 3, 1, -1),
        frame_of(ASK, 4)[:-2],
    ],
)
def test_what_is_no_request_of_this_listener_closes_the_connection(frame):
    client, dispatcher = converse(saying(frame))
    assert (client.is_over, bytes(client.received), dispatcher.bugs) == (True, b"", 0)


def test_bytes_behind_a_whole_request_are_passed_over():
    client, _ = converse(saying(frame_of(ASK, 4) + b"more"))
    assert len(answers_in(client.received, 18, 4)) == 1


def test_tags_in_the_header_that_nobody_knows_are_passed_over():
    plain = frame_of(ASK, 4)
    name_end = 10 + len("a client")
    tagged = plain[:name_end] + b"\x01\x09\x02ab" + plain[name_end + 1 :]
    client, _ = converse(saying(tagged))
    assert len(answers_in(client.received, 18, 4)) == 1


def test_a_refusal_of_the_handler_becomes_the_response(monkeypatch):
    def handle(call, broker):
        raise KafkaError(ErrorCode.INVALID_REQUEST, "not so")

    client, dispatcher = converse(saying(frame_of(ASK, 4)), handle, monkeypatch)
    ((_, response),) = answers_in(client.received, 18, 4)
    assert (response.error_code, dispatcher.bugs) == (ErrorCode.INVALID_REQUEST, 0)


@pytest.mark.parametrize("colour", ["plain", "async"])
def test_a_bug_in_a_handler_is_one_request_that_failed_and_is_counted(colour, monkeypatch):
    def handle(call, broker):
        raise KeyError("oops")

    async def wait(call, broker):
        handle(call, broker)

    chosen = handle if colour == "plain" else wait
    client, dispatcher = converse(saying(frame_of(ASK, 4)), chosen, monkeypatch)
    ((_, response),) = answers_in(client.received, 18, 4)
    assert (response.error_code, dispatcher.bugs) == (ErrorCode.UNKNOWN_SERVER_ERROR, 1)


@pytest.mark.parametrize("frame", [b"", b"abc", b"\0\x12\0\x03\0\0\0\x01\0\x09ab"])
def test_a_request_that_ends_within_its_header_is_one_clean_line(frame, caplog):
    caplog.set_level("INFO")
    client, dispatcher = converse(saying(frame))
    assert (client.is_over, dispatcher.bugs) == (True, 0)
    (line,) = caplog.messages
    assert line.endswith(f": a request of {len(frame)} bytes ends within its header")


@pytest.mark.parametrize("kind", [ImportError, SyntaxError, OSError])
def test_a_handler_that_cannot_be_imported_is_a_bug_and_hangs_up(kind, monkeypatch):
    def import_it(key, module):
        raise kind("not now")

    monkeypatch.setattr(dispatch, "handler_of", import_it)
    client, dispatcher = converse(saying(frame_of(ASK, 4)))
    assert (client.is_over, dispatcher.bugs) == (True, 1)


def test_a_handler_that_waits_holds_back_the_requests_behind_it(monkeypatch):
    order = []

    async def handle(call, broker):
        order.append(("begin", call.correlation_id))
        await broker.tasks.sleep(5)
        order.append(("end", call.correlation_id))
        return SAID

    frames = [frame_of(ASK, 0, correlation_id=number) for number in (1, 2)]
    client, _ = converse(saying(*frames), handle, monkeypatch)
    assert order == [("begin", 1), ("end", 1), ("begin", 2), ("end", 2)]
    assert [number for number, _ in answers_in(client.received, 18, 0, 0)] == [1, 2]


def test_an_answer_may_come_later_and_once(monkeypatch):
    def handle(call, broker):
        def answer():
            call.answer(SAID)
            with pytest.raises(AssertionError, match="answered once"):
                call.answer(SAID)

        broker.tasks.after(20, answer)
        return LATER

    client, _ = converse(saying(frame_of(ASK, 0)), handle, monkeypatch)
    assert len(answers_in(client.received, 18, 0)) == 1


def test_no_answer_lets_the_connection_go_on_and_hanging_up_ends_it(monkeypatch):
    answers = {1: None, 2: SAID, 3: HANG_UP}
    frames = [frame_of(ASK, 0, correlation_id=number) for number in answers]
    client, _ = converse(
        saying(*frames), lambda call, broker: answers[call.correlation_id], monkeypatch
    )
    assert [number for number, _ in answers_in(client.received, 18, 0)] == [2]
    assert client.is_over


def test_who_owes_time_is_told_and_muted(monkeypatch):
    def handle(call, broker):
        call.throttle_ms = 1000
        return ApiVersionsResponse(error_code=0, api_keys=[])

    client, _ = converse(saying(frame_of(ASK, 1), frame_of(ASK, 1)), handle, monkeypatch)
    ((_, response),) = answers_in(client.received, 18, 1)
    assert response.throttle_time_ms == 1000


def test_an_answer_that_cannot_be_written_is_a_bug_and_closes(monkeypatch):
    broken = ApiVersionsResponse(error_code=1 << 20, api_keys=[])
    client, dispatcher = converse(
        saying(frame_of(ASK, 0)), lambda call, broker: broken, monkeypatch
    )
    assert (client.is_over, dispatcher.bugs) == (True, 1)


def test_a_message_that_quotes_too_much_is_cut_and_the_answer_goes(monkeypatch):
    def handle(call, broker):
        raise KafkaError(ErrorCode.INVALID_REQUEST, "no topic is called " + "t" * 40_000)

    ask = DescribeUserScramCredentialsRequest(users=None)
    client, dispatcher = converse(saying(frame_of(ask, 0)), handle, monkeypatch)
    ((_, response),) = answers_in(client.received, 50, 0)
    assert response.error_message.startswith("no topic is called ttt")
    assert dispatcher.bugs == 0


def test_a_name_that_is_no_utf_8_and_cannot_be_repeated_closes_and_is_no_bug(monkeypatch):
    broken = ApiVersionsResponse(error_code=1 << 20, api_keys=[])
    frame = frame_of(ASK, 4).replace(b"a\x021", b"\xff\x021")
    client, dispatcher = converse(saying(frame), lambda call, broker: broken, monkeypatch)
    assert (client.is_over, dispatcher.bugs) == (True, 0)


def test_a_client_whose_name_is_no_utf_8_is_answered():
    frame = frame_of(ASK, 4).replace(b"a client", b"\xff client")
    client, _ = converse(saying(frame))
    assert len(answers_in(client.received, 18, 4)) == 1


def test_errors_of_ours_have_codes_of_kafkas():
    assert error_of(KafkaError(3, "gone")) == (3, "gone")
    assert error_of(StorageError("file", "full"))[0] == ErrorCode.KAFKA_STORAGE_ERROR


def test_requests_and_their_errors_are_counted_by_api_and_version():
    bad = ApiVersionsRequest(client_software_name="a b", client_software_version="1")
    _, dispatcher = converse(saying(frame_of(ASK, 4), frame_of(bad, 4), frame_of(ASK, 0)))
    counted = {str(name): metric for name, metric in dispatcher._broker.metrics}
    place = "kafka.network:type=RequestMetrics,name="
    assert counted[f"{place}RequestsPerSec,request=ApiVersions,version=4"].count == 2
    assert counted[f"{place}ErrorsPerSec,request=ApiVersions,error=INVALID_REQUEST"].count == 1
    assert counted[f"{place}TotalTimeMs,request=ApiVersions"].count == 3
    assert dispatcher.taken == 3


def test_a_handler_that_waits_is_charged_for_its_turns_and_not_for_its_waits(monkeypatch):
    known = QuotaImage({(("client-id", None),): {"request_percentage": 1.0}})
    broker = broker_with()

    async def wait(call, broker):
        broker.clock.advance_ns(300_000_000)
        await broker.tasks.sleep(500)
        broker.clock.advance_ns(100_000_000)
        return SAID

    async def main(tasks, client, dispatcher):
        nonlocal broker
        broker = dispatcher._broker
        broker.quotas = Quotas(broker.clock, lambda: known)
        client.say(frame_of(ASK, 3))
        await tasks.sleep(2000)

    converse(main, wait, monkeypatch)
    (measured,) = broker.quotas.measured()
    assert measured.rate == pytest.approx(40 / 10, rel=0.05)
