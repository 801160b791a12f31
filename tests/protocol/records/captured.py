"""The vectors in tests/vectors/records, and what went into them (see CaptureRecords.java)."""

from __future__ import annotations

from pathlib import Path

from moldau.protocol.records.record import Header, Record

VECTORS = Path(__file__).parents[2] / "vectors" / "records"
TIME = 1_700_000_000_000
VALUE = b"a value that is long enough to be worth compressing " * 4
HEADERS = (
    Header("name", b"Vltava"),
    Header("název", "Moldau — ř".encode()),
    Header("null", None),
    Header("", b""),
)


def captured(name: str) -> bytes:
    return (VECTORS / f"{name}.log").read_bytes()


def sent_records(base_offset: int, base_sequence: int) -> list[Record]:
    """The four records that the Java producer sent again and again."""
    sent: list[tuple[int, bytes | None, bytes | None, tuple[Header, ...]]] = [
        (TIME, b"key", VALUE, ()),
        (TIME + 70, None, b"no key", ()),
        (TIME - 1000, b"tombstone", None, ()),
        (TIME + 5, b"", b"", HEADERS),
    ]
    has_sequence = base_sequence >= 0
    return [
        Record(base_offset + index, *parts, base_sequence + index if has_sequence else -1)
        for index, parts in enumerate(sent)
    ]
