"""xxHash-32 with seed 0, for the checksums inside LZ4 frames.

Four lanes take four little-endian words each round; the rest is mixed in by words and bytes. In
practice it sees the two or ten bytes of a frame header: no Kafka client writes block checksums,
so this plain loop (about 16 MB/s) is fast enough for the frames that have them.
"""

from __future__ import annotations

from struct import iter_unpack

from moldau.platform.buffers import Buffer

_MASK = 0xFFFFFFFF
_PRIME_1 = 2654435761
_PRIME_2 = 2246822519
_PRIME_3 = 3266489917
_PRIME_4 = 668265263
_PRIME_5 = 374761393
_STRIPE_BYTES = 16
_WORD_BYTES = 4


def xxhash32(data: Buffer) -> int:
    stripes_end = len(data) // _STRIPE_BYTES * _STRIPE_BYTES
    words_end = len(data) // _WORD_BYTES * _WORD_BYTES
    value = _stripes(data[:stripes_end]) if stripes_end else _PRIME_5
    value = (value + len(data)) & _MASK
    for (word,) in iter_unpack("<I", data[stripes_end:words_end]):
        value = _rotate((value + word * _PRIME_3) & _MASK, 17) * _PRIME_4 & _MASK
    for byte in data[words_end:]:
        value = _rotate((value + byte * _PRIME_5) & _MASK, 11) * _PRIME_1 & _MASK
    return _avalanche(value)


def _stripes(data: Buffer) -> int:
    lane_1, lane_2 = (_PRIME_1 + _PRIME_2) & _MASK, _PRIME_2
    lane_3, lane_4 = 0, -_PRIME_1 & _MASK
    for word_1, word_2, word_3, word_4 in iter_unpack("<4I", data):
        lane_1 = _round(lane_1, word_1)
        lane_2 = _round(lane_2, word_2)
        lane_3 = _round(lane_3, word_3)
        lane_4 = _round(lane_4, word_4)
    first = _rotate(lane_1, 1) + _rotate(lane_2, 7)
    return (first + _rotate(lane_3, 12) + _rotate(lane_4, 18)) & _MASK


def _round(lane: int, word: int) -> int:
    return _rotate((lane + word * _PRIME_2) & _MASK, 13) * _PRIME_1 & _MASK


def _rotate(value: int, bits: int) -> int:
    return (value << bits | value >> (32 - bits)) & _MASK


def _avalanche(value: int) -> int:
    value = (value ^ value >> 15) * _PRIME_2 & _MASK
    value = (value ^ value >> 13) * _PRIME_3 & _MASK
    return value ^ value >> 16
