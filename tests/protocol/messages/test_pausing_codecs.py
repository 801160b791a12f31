"""A codec that pauses is the plain one: the same messages, bytes and errors, and pauses between."""

from __future__ import annotations

import pytest

from moldau.errors import DecodeError, EncodeError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.index import APIS
from moldau.protocol.wire.compile import decode_prefix, decoding, encode, encode_parts, encoding
from moldau.protocol.wire.emitter import PAUSE_NUMBERS
from tests.protocol.messages.heavy_messages import weights
from tests.protocol.messages.random_messages import Pair, random_messages

LATEST = [
    Pair(api.request, api.request.VERSIONS.each()[-1])
    for api in APIS
    if api.request.VERSIONS.each()
]
MANY = 9_000
"""Twice as many numbers as are read at one go, and some."""


def paused(codec, *arguments):
    """What it finds or refuses, and how often it paused."""
    pauses = 0
    work = codec(*arguments)
    try:
        while True:
            next(work)
            pauses += 1
    except StopIteration as end:
        return end.value, pauses
    except (DecodeError, EncodeError) as error:
        return str(error), pauses


def plainly(codec, *arguments):
    try:
        return codec(*arguments)
    except (DecodeError, EncodeError) as error:
        return str(error)


def decoded(cls, version, frame):
    return decode_prefix(cls, version, frame)[0]


def test_every_message_is_the_same_with_and_without_pauses(seed, volume):
    print(f"seed {seed}")
    random = SeededRandom(seed)
    for pair, message in random_messages(random, volume(2_000, 20_000)):
        parts = encode_parts(message, pair.version)
        assert paused(encoding, message, pair.version)[0] == parts, pair
        frame = encode(message, pair.version)
        found, _ = paused(decoding, pair.message, pair.version, frame)
        assert found == decoded(pair.message, pair.version, frame), pair


@pytest.mark.parametrize("pair", LATEST, ids=lambda pair: pair.message.__name__)
def test_long_arrays_are_read_with_pauses_and_to_the_same_end(pair):
    for weight in weights(pair):
        frame = weight.frame(MANY)
        found, pauses = paused(decoding, pair.message, pair.version, frame)
        assert found == plainly(decoded, pair.message, pair.version, frame), weight
        in_tags = any(pair.version in field.tagged for field in weight.path)
        assert in_tags or isinstance(found, str) or pauses > MANY // PAUSE_NUMBERS, weight


@pytest.mark.parametrize("pair", LATEST, ids=lambda pair: pair.message.__name__)
def test_long_arrays_are_written_with_pauses_and_to_the_same_bytes(pair):
    for weight in weights(pair):
        message = weight.message(MANY)
        parts, pauses = paused(encoding, message, pair.version)
        assert parts == plainly(encode_parts, message, pair.version), weight
        in_tags = any(pair.version in field.tagged for field in weight.path)
        assert in_tags or isinstance(parts, str) or pauses > MANY // PAUSE_NUMBERS, weight


def test_a_frame_that_is_cut_off_is_refused_in_the_same_words(seed):
    random = SeededRandom(seed)
    for pair, message in random_messages(random, 300):
        frame = encode(message, pair.version)
        cut = frame[: random.randrange(len(frame) + 1)]
        found, _ = paused(decoding, pair.message, pair.version, cut)
        assert found == plainly(decoded, pair.message, pair.version, cut), pair
