"""Bytes go out as they are, also those that are no text."""

from dataclasses import replace
from io import BytesIO, StringIO, TextIOWrapper

from moldau.programs.tools.kafka.streams import lines_typed, write_bytes


def test_bytes_pass_the_encoding_of_a_stream():
    raw = BytesIO()
    out = TextIOWrapper(raw, encoding="ascii")
    out.write("first ")
    write_bytes(out, b"\xff\n")
    assert raw.getvalue() == b"first \xff\n"


def test_a_stream_of_text_alone_shows_their_numbers():
    out = StringIO()
    write_bytes(out, b"a\xff")
    assert out.getvalue() == "a\\xff"


def test_lines_come_without_their_ends(world):
    typed = replace(world, typed=[b"a\r\n", b"b\n", b"c"])
    assert list(lines_typed(typed)) == [b"a", b"b", b"c"]
