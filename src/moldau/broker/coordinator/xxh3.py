"""XXH3 with 64 bits, by which coordinators notice that topics have changed.

The specification: github.com/Cyan4973/xxHash, `doc/xxhash_spec.md`. Seed and secret are the
defaults. There are five ways through it, by the length of the input; the longest takes stripes of
64 bytes in eight lanes, sixteen stripes to a block, and stirs the lanes after each block.

Nothing secret is protected by it: an attacker that chooses the input can make collisions.
"""

from __future__ import annotations

from struct import Struct

from moldau.platform.buffers import Buffer

_MASK32, _MASK64 = (1 << 32) - 1, (1 << 64) - 1
_PRIMES32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
_PRIMES64 = (
    0x9E3779B185EBCA87,
    0xC2B2AE3D27D4EB4F,
    0x165667B19E3779F9,
    0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5,
)
_STIR, _STIR_SHORT = 0x165667919E3779F9, 0x9FB21C651E98DF25
_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
_LANES = 8
_STRIPE = 64
_STRIPES_PER_BLOCK = (len(_SECRET) - _STRIPE) // 8
_FIRST_LANES = (
    _PRIMES32[2],
    *_PRIMES64[:4],
    _PRIMES32[1],
    _PRIMES64[4],
    _PRIMES32[0],
)
_WORD = Struct("<Q")
_HALF = Struct("<I")
_EIGHT_WORDS = Struct("<8Q")


def xxh3_64(data: Buffer) -> int:
    """The hash, from 0 up to 2 to the 64th."""
    length = len(data)
    if length == 0:
        return _end_short(_secret(56) ^ _secret(64))
    if length <= 16:
        return _up_to_16(data, length)
    if length <= 128:
        return _up_to_128(data, length)
    if length <= 240:
        return _up_to_240(data, length)
    return _longer(data, length)


def _up_to_16(data: Buffer, length: int) -> int:
    if length < 4:
        combined = data[0] << 16 | data[length >> 1] << 24 | data[-1] | length << 8
        return _end_short(combined ^ _half(_SECRET, 0) ^ _half(_SECRET, 4))
    if length <= 8:
        words = _half(data, length - 4) + (_half(data, 0) << 32)
        return _end_words(words ^ _secret(8) ^ _secret(16), length)
    low = _word(data, 0) ^ _secret(24) ^ _secret(32)
    high = _word(data, length - 8) ^ _secret(40) ^ _secret(48)
    swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
    return _end(length + swapped + high + _fold(low, high))


def _up_to_128(data: Buffer, length: int) -> int:
    total = length * _PRIMES64[0]
    for step in reversed(range((length - 1) // 32 + 1)):
        total += _mix(data, 16 * step, 32 * step)
        total += _mix(data, length - 16 * (step + 1), 32 * step + 16)
    return _end(total)


def _up_to_240(data: Buffer, length: int) -> int:
    total = length * _PRIMES64[0] + sum(_mix(data, 16 * step, 16 * step) for step in range(8))
    total = _end(total)
    for step in range(8, length // 16):
        total += _mix(data, 16 * step, 16 * (step - 8) + 3)
    return _end(total + _mix(data, length - 16, 136 - 17))


def _longer(data: Buffer, length: int) -> int:
    lanes = list(_FIRST_LANES)
    stripe_count = (length - 1) // _STRIPE
    for stripe in range(stripe_count):
        place = stripe % _STRIPES_PER_BLOCK
        _accumulate(lanes, data, _STRIPE * stripe, 8 * place)
        if place == _STRIPES_PER_BLOCK - 1:
            _scramble(lanes)
    _accumulate(lanes, data, length - _STRIPE, len(_SECRET) - _STRIPE - 7)
    return _end(length * _PRIMES64[0] + _merged(lanes))


def _accumulate(lanes: list[int], data: Buffer, position: int, secret_position: int) -> None:
    words = _EIGHT_WORDS.unpack_from(data, position)
    secrets = _EIGHT_WORDS.unpack_from(_SECRET, secret_position)
    for lane in range(_LANES):
        keyed = words[lane] ^ secrets[lane]
        lanes[lane ^ 1] += words[lane]
        lanes[lane] += (keyed & _MASK32) * (keyed >> 32)


def _scramble(lanes: list[int]) -> None:
    secrets = _EIGHT_WORDS.unpack_from(_SECRET, len(_SECRET) - _STRIPE)
    for lane in range(_LANES):
        word = lanes[lane] & _MASK64
        lanes[lane] = (word ^ word >> 47 ^ secrets[lane]) * _PRIMES32[0] & _MASK64


def _merged(lanes: list[int]) -> int:
    return sum(
        _fold(
            lanes[lane] & _MASK64 ^ _secret(11 + 8 * lane),
            lanes[lane + 1] & _MASK64 ^ _secret(19 + 8 * lane),
        )
        for lane in range(0, _LANES, 2)
    )


def _mix(data: Buffer, position: int, secret_position: int) -> int:
    return _fold(
        _word(data, position) ^ _secret(secret_position),
        _word(data, position + 8) ^ _secret(secret_position + 8),
    )


def _fold(left: int, right: int) -> int:
    product = left * right
    return product & _MASK64 ^ product >> 64


def _end(word: int) -> int:
    word &= _MASK64
    word = (word ^ word >> 37) * _STIR & _MASK64
    return word ^ word >> 32


def _end_short(word: int) -> int:
    word = (word ^ word >> 33) * _PRIMES64[1] & _MASK64
    word = (word ^ word >> 29) * _PRIMES64[2] & _MASK64
    return word ^ word >> 32


def _end_words(word: int, length: int) -> int:
    word ^= _turned(word, 49) ^ _turned(word, 24)
    word = word * _STIR_SHORT & _MASK64
    word = (word ^ (word >> 35) + length) * _STIR_SHORT & _MASK64
    return word ^ word >> 28


def _turned(word: int, bits: int) -> int:
    return (word << bits | word >> 64 - bits) & _MASK64


def _secret(position: int) -> int:
    return _word(_SECRET, position)


def _word(data: Buffer, position: int) -> int:
    word: int = _WORD.unpack_from(data, position)[0]
    return word


def _half(data: Buffer, position: int) -> int:
    half: int = _HALF.unpack_from(data, position)[0]
    return half
