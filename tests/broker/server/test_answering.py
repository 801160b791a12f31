"""What becomes of the answer of a handler: sent, refused, written down as a bug, and counted."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.settings import Quotas as QuotaImage
from moldau.broker.server.answering import error_of
from moldau.broker.server.call import CLOSE, LATER
from moldau.broker.server.quota.quotas import Quotas
from moldau.errors import EncodeError, KafkaError, StorageError
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.messages.security.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import answers_in, broker_with, frame_of
from tests.broker.server.dispatching import ANSWER, ASK, converse, saying


def test_a_refusal_of_the_handler_becomes_the_response():
    def handle(call, broker):
        raise KafkaError(ErrorCode.INVALID_REQUEST, "not so")

    client, dispatcher = converse(saying(frame_of(ASK, 4)), handle)
    ((_, response),) = answers_in(client.received, 18, 4)
    assert (response.error_code, dispatcher.bugs) == (ErrorCode.INVALID_REQUEST, 0)


def test_text_that_outgrew_an_answer_since_it_was_no_utf_8_is_no_bug(caplog):
    def handle(call, broker):
        call.request.client_software_name = "\ufffd" * 20_000
        raise EncodeError("a text of 60000 bytes")

    _, dispatcher = converse(saying(frame_of(ASK, 4)), handle)
    assert (dispatcher.bugs, caplog.messages) == (0, [])


@pytest.mark.parametrize("colour", ["plain", "async"])
def test_a_bug_in_a_handler_is_one_request_that_failed_and_is_counted(colour):
    def handle(call, broker):
        raise KeyError("oops")

    async def wait(call, broker):
        handle(call, broker)

    chosen = handle if colour == "plain" else wait
    client, dispatcher = converse(saying(frame_of(ASK, 4)), chosen)
    ((_, response),) = answers_in(client.received, 18, 4)
    assert (response.error_code, dispatcher.bugs) == (ErrorCode.UNKNOWN_SERVER_ERROR, 1)


def test_an_answer_may_come_later_and_once():
    def handle(call, broker):
        def answer():
            call.answer(ANSWER)
            with pytest.raises(AssertionError, match="answered once"):
                call.answer(ANSWER)

        broker.tasks.after(20, answer)
        return LATER

    client, _ = converse(saying(frame_of(ASK, 0)), handle)
    assert len(answers_in(client.received, 18, 0)) == 1


def test_no_answer_lets_the_connection_go_on_and_closing_ends_it():
    answers = {1: None, 2: ANSWER, 3: CLOSE}
    frames = [frame_of(ASK, 0, correlation_id=number) for number in answers]
    client, _ = converse(saying(*frames), lambda call, broker: answers[call.correlation_id])
    assert [number for number, _ in answers_in(client.received, 18, 0)] == [2]
    assert client.is_over


def test_who_owes_time_is_reported_and_muted():
    def handle(call, broker):
        call.throttle_ms = 1000
        return ApiVersionsResponse(error_code=0, api_keys=[])

    client, _ = converse(saying(frame_of(ASK, 1), frame_of(ASK, 1)), handle)
    ((_, response),) = answers_in(client.received, 18, 1)
    assert response.throttle_time_ms == 1000


def test_an_answer_that_cannot_be_written_is_a_bug_and_closes():
    broken = ApiVersionsResponse(error_code=1 << 20, api_keys=[])
    client, dispatcher = converse(saying(frame_of(ASK, 0)), lambda call, broker: broken)
    assert (client.is_over, dispatcher.bugs) == (True, 1)


def test_a_message_that_quotes_too_much_is_cut_and_the_answer_goes():
    def handle(call, broker):
        raise KafkaError(ErrorCode.INVALID_REQUEST, "no topic is called " + "t" * 40_000)

    ask = DescribeUserScramCredentialsRequest(users=None)
    client, dispatcher = converse(saying(frame_of(ask, 0)), handle)
    ((_, response),) = answers_in(client.received, 50, 0)
    assert response.error_message.startswith("no topic is called ttt")
    assert dispatcher.bugs == 0


def test_a_name_that_is_no_utf_8_and_cannot_be_repeated_closes_and_is_no_bug():
    broken = ApiVersionsResponse(error_code=1 << 20, api_keys=[])
    frame = frame_of(ASK, 4).replace(b"a\x021", b"\xff\x021")
    client, dispatcher = converse(saying(frame), lambda call, broker: broken)
    assert (client.is_over, dispatcher.bugs) == (True, 0)


def test_errors_of_ours_have_codes_of_kafkas():
    assert error_of(KafkaError(3, "gone")) == (3, "gone")
    assert error_of(StorageError("file", "full"))[0] == ErrorCode.KAFKA_STORAGE_ERROR


def test_requests_and_their_errors_are_counted_by_api_and_version():
    bad = ApiVersionsRequest(client_software_name="a b", client_software_version="1")
    _, dispatcher = converse(saying(frame_of(ASK, 4), frame_of(bad, 4), frame_of(ASK, 0)))
    counted = {str(name): metric for name, metric in dispatcher.broker.metrics}
    place = "kafka.network:type=RequestMetrics,name="
    assert counted[f"{place}RequestsPerSec,request=ApiVersions,version=4"].count == 2
    assert counted[f"{place}ErrorsPerSec,request=ApiVersions,error=INVALID_REQUEST"].count == 1
    assert counted[f"{place}TotalTimeMs,request=ApiVersions"].count == 3
    assert dispatcher.taken == 3


def test_a_handler_that_waits_is_charged_for_its_turns_and_not_for_its_waits():
    known = QuotaImage({(("client-id", None),): {"request_percentage": 1.0}})
    broker = broker_with()

    async def wait(call, broker):
        broker.clock.advance_ns(300_000_000)
        await broker.tasks.sleep(500)
        broker.clock.advance_ns(100_000_000)
        return ANSWER

    async def main(tasks, client, dispatcher):
        nonlocal broker
        broker = dispatcher.broker
        broker.quotas = Quotas(broker.clock, lambda: known)
        client.say(frame_of(ASK, 3))
        await tasks.sleep(2000)

    converse(main, wait)
    (measured,) = broker.quotas.measured()
    assert measured.rate == pytest.approx(40 / 10, rel=0.05)
