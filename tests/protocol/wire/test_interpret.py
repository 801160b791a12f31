"""Messages that no codec is compiled for are read and written as compiled codecs do."""

from __future__ import annotations

import subprocess
import sys

import pytest

from moldau.errors import DecodeError, EncodeError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.wire import interpret
from moldau.protocol.wire.compile import decode, decode_prefix, encode, encode_parts
from moldau.protocol.wire.interpret import (
    COMPILED_AFTER,
    PLAIN_BYTES_MAX,
    decode_prefix_seldom,
    decode_seldom,
    encode_parts_seldom,
)
from moldau.protocol.wire.refusals import SPLIT_FROM
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.types import Int32, String
from tests.protocol.messages.random_messages import random_messages
from tests.protocol.wire.samples import Letter, letter

SPOILED_PER_MESSAGE = 4


@pytest.fixture
def plain(monkeypatch):
    """Every message goes the plain way, whatever its class has seen, unless it is refused there."""
    monkeypatch.setattr(interpret, "_is_plain", lambda *given: True)


def found(codec, *arguments):
    try:
        return codec(*arguments)
    except (DecodeError, EncodeError) as error:
        return str(error)


def test_every_message_is_read_and_written_as_by_its_codec(seed, volume, plain):
    random = SeededRandom(seed)
    for pair, message in random_messages(random, volume(2_000, 20_000)):
        frame = encode(message, pair.version)
        assert b"".join(encode_parts_seldom(message, pair.version)) == frame, pair
        assert decode_seldom(pair.message, pair.version, frame) == message_of(pair, frame), pair
        place = decode_prefix_seldom(pair.message, pair.version, b"!" + frame + b"..", 1)
        assert place == (message_of(pair, frame), 1 + len(frame)), pair


def message_of(pair, frame):
    return decode(pair.message, pair.version, frame)


def test_most_messages_need_no_codec(seed, plain, monkeypatch):
    def refuse(*given):
        raise AssertionError(given)

    random = SeededRandom(seed)
    small = [
        (pair, message, frame)
        for pair, message in random_messages(random, 1_000)
        if len(frame := encode(message, pair.version)) < SPLIT_FROM
    ]
    assert len(small) > 900
    for name in ("decode", "encode_parts"):
        monkeypatch.setattr(interpret, name, refuse)
    for pair, message, frame in small:
        assert encode_parts_seldom(message, pair.version) == [frame], pair
        decode_seldom(pair.message, pair.version, frame)


def test_spoiled_frames_are_refused_in_the_same_words_or_read_alike(seed, volume, plain):
    random = SeededRandom(seed)
    for pair, message in random_messages(random, volume(1_000, 10_000)):
        frame = encode(message, pair.version)
        for _ in range(SPOILED_PER_MESSAGE):
            bad = bytearray(frame[: random.randrange(len(frame) + 1)])
            if bad:
                bad[random.randrange(len(bad))] = random.randrange(256)
            spoiled = bytes(bad)
            expected = found(decode, pair.message, pair.version, spoiled)
            read = found(decode_seldom, pair.message, pair.version, spoiled)
            assert read == expected or written(read, pair) == written(expected, pair), pair


def written(read, pair):
    """By its bytes, since not a number is not equal to itself."""
    assert isinstance(read, Message), read
    return encode(read, pair.version)


def test_what_cannot_be_written_is_refused_in_the_same_words(plain):
    for changes, version in (
        ({"sender": 5}, 0),
        ({"stamps": [2**40]}, 0),
        ({"stamps": None}, 0),
        ({"reply_to": "Prague"}, 0),
        ({"sender": "x" * 40_000}, 2),
    ):
        wrong = letter(**changes)
        assert found(encode_parts_seldom, wrong, version) == found(encode_parts, wrong, version)


def test_large_records_stay_parts_of_their_own(plain):
    records = memoryview(bytearray(SPLIT_FROM + 1))
    assert encode_parts_seldom(letter(enclosure=records), 3)[1] is records


def test_views_are_views_of_the_frame(plain):
    frame = encode(letter(enclosure=b"abc"), 3)
    taken = decode_seldom(Letter, 3, frame).enclosure
    assert isinstance(taken, memoryview)
    assert taken.obj is frame


def test_a_codec_is_compiled_once_a_message_is_no_longer_seldom():
    class Often(Message, versions="0-1"):
        number: Int32
        text: String

    often = Often(number=7, text="a")
    for _ in range(COMPILED_AFTER):
        assert decode_seldom(Often, 0, b"".join(encode_parts_seldom(often, 0))) == often
    assert (Often.DECODERS, Often.ENCODERS) == ({}, {})
    decode_seldom(Often, 0, b"".join(encode_parts_seldom(often, 0)))
    assert (list(Often.DECODERS), list(Often.ENCODERS)) == ([0], [0])
    long = encode(Often(number=7, text="a" * PLAIN_BYTES_MAX), 1)
    decode_prefix(Often, 1, long)
    assert decode_seldom(Often, 1, long).number == 7
    assert list(Often.DECODERS) == [0, 1]


def test_a_program_that_sends_few_messages_compiles_nothing():
    program = (
        "import sys\n"
        "from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest\n"
        "from moldau.protocol.wire.interpret import decode_seldom, encode_parts_seldom\n"
        "asked = ApiVersionsRequest(client_software_name='a', client_software_version='1')\n"
        "assert decode_seldom(ApiVersionsRequest, 4, encode_parts_seldom(asked, 4)[0]) == asked\n"
        "assert not [name for name in sys.modules if '.wire.emit' in name]\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
