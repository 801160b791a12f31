"""A frame cannot make a decoder take more than some times its own size, and one MiB."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import pytest

from moldau.errors import DecodeError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.wire.compile import decode, decode_prefix, decoder_for, encode
from moldau.protocol.wire.weight import PER_BYTE
from tests.protocol.messages.heavy_messages import Weight, weights
from tests.protocol.messages.large_messages import LARGE
from tests.protocol.messages.random_messages import Pair, all_pairs
from tests.protocol.messages.test_hostile_bytes import mutants
from tests.tidy.source import assert_none

TIMES = PER_BYTE
MIB = 1 << 20
FREE_AND_SLACK = 928 * 1024
"""What decoders give without a frame's paying for it, and the few objects that are not counted."""
SHARDS = 8
EIGHTH = 8
TRIES = 3

pytestmark = pytest.mark.timeout(600)


def peak_of(pair: Pair, data: bytes, per_byte: int = TIMES) -> int:
    """The most memory that was taken while decoding, the result included."""
    decoder_for(pair.message, pair.version)  # compiling it is not the frame's doing
    tracemalloc.start()
    try:
        is_accepted(pair, data, per_byte)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def excess_of(pair: Pair, data: bytes, bound: int, per_byte: int = TIMES) -> int:
    """By how much decoding goes beyond `bound` whenever it is tried; 0 if it once does not.

    The process has other threads and tables that grow; what they take is counted too, now and
    then, and what decoding takes is counted every time.
    """
    least = peak_of(pair, data, per_byte)
    for _ in range(TRIES - 1):
        if least <= bound:
            return 0
        least = min(least, peak_of(pair, data, per_byte))
    return max(0, least - bound)


def is_accepted(pair: Pair, data: bytes, per_byte: int) -> bool:
    try:
        decode_prefix(pair.message, pair.version, data, per_byte=per_byte)
    except DecodeError:
        return False
    return True


def most_for_free(weight: Weight) -> bytes:
    """The longest array that is accepted if bytes of the frame pay for nothing."""
    high = 64
    while is_free(weight, high):
        high *= 2
    low = high // 2
    while high - low > 1 + low // 64:
        middle = (low + high) // 2
        low, high = (middle, high) if is_free(weight, middle) else (low, middle)
    return weight.frame(low)


def is_free(weight: Weight, count: int) -> bool:
    return is_accepted(weight.pair, weight.frame(count), per_byte=0)


def excess_of_free(weight: Weight) -> int:
    return excess_of(weight.pair, most_for_free(weight), FREE_AND_SLACK, per_byte=0)


def newest_pairs() -> Iterator[Pair]:
    """Every message in its last version: none of its arrays has lighter elements than that."""
    for pair in all_pairs():
        if pair.version == pair.message.VERSIONS.high:
            yield pair


def test_frames_put_together_are_frames_that_were_encoded():
    every = [weight for pair in newest_pairs() for weight in weights(pair)]
    assert all(w.frame(70) == encode(w.message(70), w.pair.version) for w in every)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_arrays_take_no_more_memory_than_they_are_charged_for(shard, seed, volume):
    """All of them at length; otherwise an eighth, and another one after each change."""
    every = [weight for pair in newest_pairs() for weight in weights(pair)]
    shards = SHARDS * volume(EIGHTH, 1)
    chosen = every[(shard + SHARDS * seed) % shards :: shards]
    excess = {w: excess_of_free(w) for w in chosen}
    assert_none(f"{w} takes {more} too much" for w, more in excess.items() if more)


@pytest.mark.parametrize("name", LARGE)
def test_honest_frames_of_20_000_partitions_are_accepted(name):
    message, version = LARGE[name](20_000)
    data = encode(message, version)
    assert encode(decode(type(message), version, data), version) == data


def test_what_is_weighed_is_charged_with_what_it_takes():
    """Requests of more partitions than their frame pays for are refused, and not far beyond it."""
    message, version = LARGE["Fetch v17"](20_000)
    data = encode(message, version)
    pair = Pair(type(message), version)
    assert not is_accepted(pair, data, per_byte=3)
    assert not excess_of(pair, data, 3 * len(data) + MIB, per_byte=3)
    assert not excess_of(pair, data, TIMES * len(data) + MIB)


def test_mutated_messages_are_paid_for_by_their_frame(seed):
    for pair, data in mutants(SeededRandom(seed), 4_000):
        assert not excess_of(pair, data, TIMES * len(data) + MIB), (
            f"seed {seed}: {pair} {data.hex()}"
        )
