"""Records as objects, beside the plain reader of records."""

from __future__ import annotations

from random import Random

from moldau.client.core.consuming.record import ConsumerRecord
from moldau.client.core.consuming.unpacking import Origin
from moldau.protocol.records.batch import read_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.record import iterate_records, records_block
from moldau.protocol.records.scan import scan_records

HEADERS = ((), (("trace", b"7"),), (("a", None), ("a", b""), ("é", b"x" * 200)))
PARTS = (None, b"", b"k", b"long" * 100)


def drawn_batch(draw: Random) -> bytes:
    builder = BatchBuilder(BatchFields(base_offset=draw.choice([0, 1 << 40])))
    for _ in range(draw.randint(1, 40)):
        time = 1_700_000_000_000 + draw.randint(-9999, 9999)
        builder.append(time, draw.choice(PARTS), draw.choice(PARTS), draw.choice(HEADERS))
    return bytes(builder.build())


def test_they_are_what_the_plain_reader_finds_between_two_offsets(seed):
    draw = Random(seed)
    for _ in range(50):
        batch = drawn_batch(draw)
        header = read_header(batch)
        block = records_block(batch, header)
        first, end = draw.randint(-1, 5), draw.randint(5, 50)
        time_type = draw.choice([0, 1])
        origin = Origin("t", 3, header.base_offset, header.base_timestamp, time_type, 9, first, end)
        found: list[ConsumerRecord] = []
        origin.unpack(block, scan_records(block, header.record_count), found)
        plain = [
            one for one in iterate_records(batch) if first <= one.offset - header.base_offset < end
        ]
        assert found == [
            ConsumerRecord(
                "t",
                3,
                one.offset,
                header.base_timestamp if time_type else one.timestamp,
                one.key,
                one.value,
                one.headers,
                time_type,
                9,
            )
            for one in plain
        ]
