"""gzip members, joined and cut as Java's GZIPInputStream does."""

from __future__ import annotations

import gzip
import io

import pytest

from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression import Codec, compress, decompress

MEMBER = compress(Codec.GZIP, b"one member")


def test_the_standard_library_reads_what_we_write() -> None:
    assert gzip.decompress(MEMBER) == b"one member"


def test_a_member_with_a_file_name_is_read() -> None:
    written = io.BytesIO()
    with gzip.GzipFile("named", "wb", fileobj=written) as member:
        member.write(b"named")
    assert decompress(Codec.GZIP, written.getvalue()) == b"named"


def test_members_that_follow_one_another_are_joined() -> None:
    assert decompress(Codec.GZIP, MEMBER * 3) == b"one member" * 3


@pytest.mark.parametrize("tail", [b"\x00", b"garbage", MEMBER[:5], bytes(100)])
def test_what_is_no_member_after_the_last_is_ignored(tail: bytes) -> None:
    assert decompress(Codec.GZIP, MEMBER + tail) == b"one member"


@pytest.mark.parametrize("size", range(len(MEMBER)))
def test_a_member_cut_off_is_refused(size: int) -> None:
    with pytest.raises(CorruptRecordError, match=r"gzip data ends|damaged"):
        decompress(Codec.GZIP, MEMBER[:size])


def test_a_wrong_checksum_is_refused() -> None:
    damaged = bytearray(MEMBER)
    damaged[-6] ^= 1
    with pytest.raises(CorruptRecordError, match="damaged"):
        decompress(Codec.GZIP, damaged)
