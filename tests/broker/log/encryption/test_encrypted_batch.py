"""The form of an encrypted batch, byte by byte, and everything that is none."""

from __future__ import annotations

import pytest

from moldau.broker.log.encryption.encrypted_batch import (
    batch_of,
    covered,
    envelope_head,
    marked,
    read_envelope,
    unmarked,
)
from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import FIELDS, HEADER_SIZE, ensure_checksum, read_header
from tests.broker.log.batches import batch

HEAD = bytes((1, 3)) + b"k.1" + bytes((0, 4)) + b"wrap"
NONCE, CIPHERTEXT = bytes(range(12)), b"c" * 20


def encrypted() -> bytes:
    return bytes(batch_of(marked(read_header(batch(7))), HEAD + NONCE + CIPHERTEXT))


def test_an_envelope_is_what_its_head_says():
    assert envelope_head("k.1", b"wrap") == HEAD
    stored = encrypted()
    found = read_envelope(stored, read_header(stored))
    assert found[:3] == ("k.1", b"wrap", NONCE)
    assert found.ciphertext == CIPHERTEXT


def test_the_header_stays_but_for_mark_length_and_checksum():
    plain, stored = batch(7), encrypted()
    before, after = read_header(plain), read_header(stored)
    assert after.size == HEADER_SIZE + len(HEAD + NONCE + CIPHERTEXT) == len(stored)
    ensure_checksum(stored, after)
    assert unmarked(after).replaced(length=before.length, crc=before.crc) == before


def test_an_envelope_that_is_cut_anywhere_is_refused():
    header = marked(read_header(batch(7)))
    body = HEAD + NONCE + bytes(16)
    for size in range(len(body)):
        stored = bytes(batch_of(header, body[:size]))
        with pytest.raises(CorruptRecordError, match="has no envelope"):
            read_envelope(stored, read_header(stored))


def test_the_tag_covers_all_of_the_header_but_length_and_checksum_and_the_name():
    header = read_header(encrypted())
    assert covered("t-0", header) != covered("t-1", header)
    for field in FIELDS:
        value = getattr(header, field) ^ 1
        same = covered("t-0", header.replaced(**{field: value})) == covered("t-0", header)
        assert same == (field in {"length", "crc"}), field
