"""RC2 (RFC 2268), by which PKCS#12 stores of Java 8 and of OpenSSL 1 lock their certificates.

Nothing should be locked by it today: this opens, and no more. OpenSSL 3 has it in an extra
module that is not loaded, so it is done here, some thousand certificates a minute.
"""

from __future__ import annotations

from struct import Struct as Packer
from typing import Final

__all__ = ["rc2_opened"]

BLOCK_BYTES: Final = 8
SCHEDULE_BYTES: Final = 128
WORD: Final = 0xFFFF
ROTATIONS: Final = (1, 2, 3, 5)
ROUNDS_BETWEEN_MASHES: Final = (5, 6, 5)
_WORDS = Packer("<4H")
PERMUTATION: Final = bytes.fromhex(
    "d978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2"
    "179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82"
    "54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626"
    "6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7"
    "08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec"
    "c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731"
    "2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9"
    "0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad"
)
"""Of the RFC, drawn from the digits of pi."""


def rc2_opened(key: bytes, vector: bytes, data: bytes) -> bytes:
    """What `data` is, in a chain of blocks, with its padding; every bit of the key counts."""
    if len(data) % BLOCK_BYTES or len(vector) != BLOCK_BYTES:
        raise ValueError("what is locked by RC2 comes in blocks of 8 bytes")
    words, opened, before = _schedule(key), bytearray(), vector
    for start in range(0, len(data), BLOCK_BYTES):
        block = data[start : start + BLOCK_BYTES]
        plain = _block(words, block)
        opened += bytes(one ^ other for one, other in zip(plain, before, strict=True))
        before = block
    return bytes(opened)


def _schedule(key: bytes) -> list[int]:
    spread = bytearray(key)
    while len(spread) < SCHEDULE_BYTES:
        spread.append(PERMUTATION[spread[-1] + spread[-len(key)] & 0xFF])
    first = SCHEDULE_BYTES - len(key)
    spread[first] = PERMUTATION[spread[first]]
    for index in range(first - 1, -1, -1):
        spread[index] = PERMUTATION[spread[index + 1] ^ spread[index + len(key)]]
    pairs = range(0, SCHEDULE_BYTES, 2)
    return [spread[index] | spread[index + 1] << 8 for index in pairs]


def _block(words: list[int], block: bytes) -> bytes:
    state = list(_WORDS.unpack(block))
    next_word = len(words)
    for number, rounds in enumerate(ROUNDS_BETWEEN_MASHES):
        if number:
            for index in (3, 2, 1, 0):
                state[index] = state[index] - words[state[index - 1] & 63] & WORD
        for _ in range(rounds):
            for index in (3, 2, 1, 0):
                next_word -= 1
                turns, turned = ROTATIONS[index], state[index]
                turned = turned >> turns | turned << 16 - turns
                one, two, three = state[index - 1], state[index - 2], state[index - 3]
                mixed = words[next_word] + (one & two) + (~one & three)
                state[index] = turned - mixed & WORD
    return _WORDS.pack(*state)
