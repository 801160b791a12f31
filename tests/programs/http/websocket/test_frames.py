"""Frames, judged by the RFC's own examples, by its rules, and by what hypothesis cuts and bends."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.programs.http.websocket.frames import (
    Close,
    FrameReader,
    Message,
    Opcode,
    Ping,
    Pong,
    WebSocketError,
    close_frame,
    frame,
)

MASK = bytes.fromhex("37fa213d")
BYTES_MAX = 100_000
PAYLOADS = st.binary(max_size=300) | st.sampled_from((b"x" * 126, b"y" * 65_536))
MESSAGES = st.lists(st.text(max_size=100) | PAYLOADS, max_size=5)


def events_of(data, *, masked=True, bytes_max=BYTES_MAX, cut=None):
    """All events of these bytes, and the code of what broke a rule."""
    reader, found = FrameReader(bytes_max, masked=masked), []
    step = cut or max(len(data), 1)
    try:
        for start in range(0, len(data), step):
            reader.feed(data[start : start + step])
            while (event := reader.next_event()) is not None:
                found.append(event)
    except WebSocketError as error:
        return found, int(error.code)
    return found, None


def masked(opcode, payload=b""):
    return frame(opcode, payload, MASK)


def fragment(opcode, payload):
    """One that is not the last of its message."""
    data = bytearray(masked(opcode, payload))
    data[0] &= 0x7F
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "is_masked", "expected"),
    [
        ("8105 48656c6c6f", False, Message("Hello")),
        ("8185 37fa213d 7f9f4d5158", True, Message("Hello")),
        ("0103 48656c 8002 6c6f", False, Message("Hello")),
        ("8905 48656c6c6f", False, Ping(b"Hello")),
        ("8a85 37fa213d 7f9f4d5158", True, Pong(b"Hello")),
    ],
)
def test_examples_of_the_rfc_are_read_as_it_has_them(data, is_masked, expected):
    assert events_of(bytes.fromhex(data), masked=is_masked) == ([expected], None)


def test_examples_of_the_rfc_are_written_as_it_has_them():
    assert frame(Opcode.TEXT, b"Hello").hex() == "810548656c6c6f"
    assert masked(Opcode.TEXT, b"Hello").hex() == "818537fa213d7f9f4d5158"
    assert frame(Opcode.BINARY, b"x" * 256)[:4].hex() == "827e0100"
    assert frame(Opcode.BINARY, b"x" * 65_536)[:10].hex() == "827f0000000000010000"


def test_control_frames_come_between_fragments():
    data = fragment(Opcode.TEXT, b"a") + masked(Opcode.PING, b"p")
    data += fragment(Opcode.CONTINUATION, b"b") + masked(Opcode.CONTINUATION, b"c")
    assert events_of(data + masked(Opcode.TEXT, b"d")) == (
        [Ping(b"p"), Message("abc"), Message("d")],
        None,
    )


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(Opcode.TEXT, b"no mask"), 1002),
        (b"\xc1" + masked(Opcode.TEXT, b"x")[1:], 1002),  # a reserved bit
        (b"\x83\x80" + MASK, 1002),  # no such opcode
        (b"\x8b\x80" + MASK, 1002),
        (masked(Opcode.CONTINUATION, b"x"), 1002),
        (fragment(Opcode.TEXT, b"x") + masked(Opcode.TEXT, b"y"), 1002),
        (fragment(Opcode.PING, b"x"), 1002),
        (masked(Opcode.PING, b"x" * 126), 1002),
        (b"\x81\xfe\x00\x05" + MASK, 1002),  # 5 in two bytes
        (b"\x81\xff" + (65_535).to_bytes(8) + MASK, 1002),
        (b"\x81\xff" + b"\xff" * 8 + MASK, 1002),
        (masked(Opcode.CLOSE, b"\x03"), 1002),
        (masked(Opcode.CLOSE, (1005).to_bytes(2)), 1002),
        (masked(Opcode.CLOSE, (999).to_bytes(2)), 1002),
        (masked(Opcode.CLOSE, (2999).to_bytes(2)), 1002),
        (masked(Opcode.CLOSE, (1000).to_bytes(2) + b"\xff"), 1007),
        (masked(Opcode.TEXT, b"\xff"), 1007),
        (masked(Opcode.TEXT, "\ud800".encode("utf-8", "surrogatepass")), 1007),
        (fragment(Opcode.TEXT, b"\xe2\x82") + masked(Opcode.CONTINUATION, b"x"), 1007),
        (masked(Opcode.TEXT, b"x" * 11), 1009),
        (b"\x82\xff" + (2**62).to_bytes(8), 1009),  # before a byte of it is there
        (fragment(Opcode.BINARY, b"x" * 6) + masked(Opcode.CONTINUATION, b"x" * 5), 1009),
    ],
)
def test_what_breaks_a_rule_has_its_code(data, code):
    assert events_of(data, bytes_max=10) == ([], code)
    assert events_of(data, bytes_max=10, cut=1) == ([], code)


def test_a_letter_may_be_cut_by_fragments():
    data = fragment(Opcode.TEXT, b"\xe2\x82") + masked(Opcode.CONTINUATION, b"\xac")
    assert events_of(data, cut=1) == ([Message("\u20ac")], None)


def test_nothing_comes_behind_a_close():
    data = masked(Opcode.CLOSE, (1000).to_bytes(2) + b"bye") + masked(Opcode.TEXT, b"x")
    assert events_of(data) == ([Close(1000, "bye")], None)
    assert events_of(masked(Opcode.CLOSE)) == ([Close(1005, "")], None)


def test_a_close_says_no_more_than_has_room():
    assert events_of(close_frame(1011, "\u20ac" * 100), masked=False) == (
        [Close(1011, "\u20ac" * 41)],
        None,
    )
    assert close_frame(1005) == b"\x88\x00"


@given(messages=MESSAGES, mask=st.binary(min_size=4, max_size=4), cut=st.integers(1, 1000))
def test_what_is_written_is_read_however_it_is_cut(messages, mask, cut):
    data = b"".join(
        frame(Opcode.TEXT, one.encode(), mask)
        if isinstance(one, str)
        else frame(Opcode.BINARY, one, mask)
        for one in messages
    )
    assert events_of(data, cut=cut) == ([Message(one) for one in messages], None)


@given(payload=st.binary(max_size=60), cuts=st.lists(st.integers(0, 60), max_size=4))
def test_a_message_is_the_same_in_any_fragments(payload, cuts):
    places = [0, *sorted(min(cut, len(payload)) for cut in cuts), len(payload)]
    parts = [payload[start:end] for start, end in pairwise(places)]
    opcodes = [Opcode.BINARY, *[Opcode.CONTINUATION] * len(parts)]
    pieces = zip(opcodes, parts[:-1], strict=False)
    data = b"".join(fragment(opcode, part) + masked(Opcode.PING) for opcode, part in pieces)
    found, code = events_of(data + masked(opcodes[len(parts) - 1], parts[-1]))
    assert (found[-1], code) == (Message(payload), None)
    assert found[:-1] == [Ping(b"")] * (len(parts) - 1)


@given(data=st.binary(max_size=200), cut=st.integers(1, 50))
def test_any_bytes_are_events_or_a_refusal_the_same_in_any_pieces(data, cut):
    assert events_of(data) == events_of(data, cut=cut)
    assert events_of(data, masked=False) == events_of(data, masked=False, cut=cut)


@given(
    payload=st.text(max_size=50),
    place=st.integers(0, 60),
    bit=st.integers(0, 7),
    cut=st.integers(1, 9),
)
def test_one_bit_that_is_bent_is_noticed_the_same_in_any_pieces(payload, place, bit, cut):
    data = bytearray(masked(Opcode.TEXT, payload.encode()) + masked(Opcode.PING, b"end"))
    data[min(place, len(data) - 1)] ^= 1 << bit
    assert events_of(bytes(data)) == events_of(bytes(data), cut=cut)
