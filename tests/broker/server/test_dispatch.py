"""Requests through a dispatcher: what is answered, what is refused, and what closes."""

from __future__ import annotations

from struct import pack

import pytest

from tests.broker.server.asking import answers_in, frame_of
from tests.broker.server.dispatching import ANSWER, ASK, converse, saying


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


def test_tags_in_the_header_that_are_unknown_are_passed_over():
    plain = frame_of(ASK, 4)
    name_end = 10 + len("a client")
    tagged = plain[:name_end] + b"\x01\x09\x02ab" + plain[name_end + 1 :]
    client, _ = converse(saying(tagged))
    assert len(answers_in(client.received, 18, 4)) == 1


@pytest.mark.parametrize("frame", [b"", b"abc", b"\0\x12\0\x03\0\0\0\x01\0\x09ab"])
def test_a_request_that_ends_within_its_header_is_one_clean_line(frame, caplog):
    caplog.set_level("INFO")
    client, dispatcher = converse(saying(frame))
    assert (client.is_over, dispatcher.bugs) == (True, 0)
    (line,) = caplog.messages
    assert line.endswith(f": a request of {len(frame)} bytes ends within its header")


@pytest.mark.parametrize("kind", [ImportError, SyntaxError, OSError])
def test_a_handler_that_cannot_be_imported_is_a_bug_and_hangs_up(kind):
    def import_it(key, module):
        raise kind("not now")

    client, dispatcher = converse(saying(frame_of(ASK, 4)), find_handler=import_it)
    assert (client.is_over, dispatcher.bugs) == (True, 1)


def test_a_handler_that_waits_holds_back_the_requests_behind_it():
    order = []

    async def handle(call, broker):
        order.append(("begin", call.correlation_id))
        await broker.tasks.sleep(5)
        order.append(("end", call.correlation_id))
        return ANSWER

    frames = [frame_of(ASK, 0, correlation_id=number) for number in (1, 2)]
    client, _ = converse(saying(*frames), handle)
    assert order == [("begin", 1), ("end", 1), ("begin", 2), ("end", 2)]
    assert [number for number, _ in answers_in(client.received, 18, 0, 0)] == [1, 2]


def test_a_client_whose_name_is_no_utf_8_is_answered():
    frame = frame_of(ASK, 4).replace(b"a client", b"\xff client")
    client, _ = converse(saying(frame))
    assert len(answers_in(client.received, 18, 4)) == 1
