"""Message sets, formats v0 and v1."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from struct import pack
from zlib import crc32

import pytest

from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import TimestampType
from moldau.protocol.records.compression import compress
from moldau.protocol.records.legacy import iterate_legacy_records, iterate_messages
from moldau.protocol.records.record import Record
from tests.protocol.records.captured import TIME, captured, sent_records
from tests.protocol.records.legacy_messages import GZIP, flipped, message

WRAPPED = [f"v{magic}-{codec}" for magic in (0, 1) for codec in ("none", "gzip", "snappy", "lz4")]
FAR_APART = message(2**62, b"v") + message(-(2**62), b"v")


@pytest.mark.parametrize("name", WRAPPED)
def test_what_kafka_wrote_is_read(name: str) -> None:
    expected = [
        record._replace(
            timestamp=TIME + index * 70 if name.startswith("v1") else -1, headers=(), sequence=-1
        )
        for index, record in enumerate(sent_records(40, -1))
    ]
    assert list(iterate_legacy_records(captured(name))) == expected


def test_with_log_append_time_the_wrappers_timestamp_is_that_of_all() -> None:
    assert list(iterate_legacy_records(captured("v1-log-append-time"))) == [
        Record(40, TIME + 999, b"k", b"v"),
        Record(43, TIME + 999, None, b"w"),
    ]


def test_a_wrapper_shows_itself_as_it_lies() -> None:
    (wrapper,) = iterate_messages(captured("v1-log-append-time"))
    assert (wrapper.offset, wrapper.codec) == (43, GZIP)
    assert wrapper.timestamp_type is TimestampType.LOG_APPEND


@pytest.mark.parametrize("name", ["v0-none", "v1-none"])
def test_a_message_that_is_cut_off_ends_the_set(name: str) -> None:
    whole = captured(name)
    assert len(list(iterate_legacy_records(whole[:-1]))) == 3
    assert list(iterate_legacy_records(whole[:11])) == []


def test_every_flipped_bit_of_a_message_is_found() -> None:
    whole = message(0, b"value")
    for position in range(12, len(whole)):
        with pytest.raises(CorruptRecordError):
            list(iterate_legacy_records(flipped(whole, position)))


@pytest.mark.parametrize(
    ("wrapper", "reason"),
    [
        (message(1, None, attributes=GZIP), "no value"),
        (message(1, compress(GZIP, b""), attributes=GZIP), "holds none"),
        (message(1, compress(GZIP, message(0, b"v")[:-1]), attributes=GZIP), "cut off"),
        (message(1, compress(GZIP, message(0, b"v") + b"junk"), attributes=GZIP), "cut off"),
        (message(1, compress(GZIP, message(0, b"v", magic=0)), attributes=GZIP), "another kind"),
        (message(1, compress(GZIP, message(0, b"", attributes=GZIP)), attributes=GZIP), "another"),
        (message(1, b"v", magic=2), "format 2"),
        (pack(">qi", 0, 13) + b"\x00" * 13, "claims 13 bytes"),
        (message(2**62, compress(GZIP, FAR_APART), attributes=GZIP), "beyond 64 bits"),
    ],
    ids=range(9),
)
def test_a_set_that_contradicts_itself_is_corrupt(wrapper: bytes, reason: str) -> None:
    with pytest.raises(CorruptRecordError, match=reason):
        list(iterate_legacy_records(wrapper))


def test_any_bytes_are_records_or_corrupt(seed: int, volume: Callable[[int, int], int]) -> None:
    random = Random(seed)
    whole = [captured(name) for name in WRAPPED]
    for _ in range(volume(5_000, 50_000)):
        broken = bytearray(random.choice(whole))
        for _ in range(random.randrange(1, 4)):
            broken[random.randrange(len(broken))] = random.randrange(256)
        broken[12:16] = crc32(broken[16:]).to_bytes(4, "big")
        try:
            list(iterate_legacy_records(broken))
        except CorruptRecordError:
            continue
