"""Judge 2: Apache Kafka's own classes and ours write the same bytes for the same messages.

Each direction takes one run of a Java program. A file between the two is a row of entries:
size of the name (int16), name, version (int16), size (int32), bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from struct import Struct

import pytest

from moldau.errors import EncodeError, MoldauError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.index import message_named
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.construct import blank
from tests.judges.crowded_libs import crowded_libs
from tests.judges.java_programs import run_java
from tests.protocol.messages.random_messages import Pair, all_pairs, random_messages
from tests.tidy.source import assert_none

pytestmark = [pytest.mark.judge, pytest.mark.timeout(900)]

QUICK = 20_000
LONG = 200_000
FEW = 2_000
"""More than there are pairs of message and version, so that each is written."""
SHOWN_MAX = 20
NAME_SIZE = Struct(">h")
VERSION_AND_SIZE = Struct(">hi")

Volume = Callable[[int, int], int]
Entry = tuple[Pair, bytes]


@pytest.fixture(scope="module")
def apache_entries(kafka_libs: Path, tmp_path_factory, seed: int, volume: Volume) -> Iterator[Path]:
    """A file of messages that Kafka's classes wrote."""
    path = tmp_path_factory.mktemp("judge") / "written_by_kafka"
    written = run_java(kafka_libs, "WriteMessages", seed, volume(QUICK, LONG), path)
    assert written.returncode == 0, written.stderr
    yield path
    path.unlink()


def read_entries(path: Path) -> Iterator[Entry]:
    with path.open("rb") as stream:
        while prefix := stream.read(NAME_SIZE.size):
            name = stream.read(NAME_SIZE.unpack(prefix)[0]).decode()
            version, size = VERSION_AND_SIZE.unpack(stream.read(VERSION_AND_SIZE.size))
            yield Pair(message_named(name), version), stream.read(size)


def as_entry(pair: Pair, data: bytes) -> bytes:
    name = pair.message.__name__.encode()
    return NAME_SIZE.pack(len(name)) + name + VERSION_AND_SIZE.pack(pair.version, len(data)) + data


def test_we_write_again_what_kafka_wrote(apache_entries, seed, volume):
    entries, pairs = 0, set()
    complaints: list[str] = []
    for pair, data in read_entries(apache_entries):
        entries += 1
        pairs.add(pair)
        if (complaint := complaint_about(pair, data)) and len(complaints) < SHOWN_MAX:
            complaints.append(f"seed {seed}, message {entries - 1}: {complaint}")
    assert_none(complaints)
    assert entries == volume(QUICK, LONG)
    assert pairs == set(all_pairs())


def complaint_about(pair: Pair, data: bytes) -> str | None:
    try:
        again = encode(decode(pair.message, pair.version, data), pair.version)
    except MoldauError as error:
        return f"{error}\n  kafka {data.hex()}"
    if again == data:
        return None
    return f"{pair.message.__name__} v{pair.version}\n  kafka {data.hex()}\n  ours  {again.hex()}"


def test_our_defaults_are_kafkas(apache_entries):
    """The first turn of every pair holds nothing but defaults, where its version can carry them."""
    compared, complaints = 0, []
    for (pair, data), _ in zip(read_entries(apache_entries), all_pairs(), strict=False):
        try:
            ours = encode(blank(pair.message), pair.version)
        except EncodeError:
            continue  # a default that is null, in a version without null
        compared += 1
        if ours != data:
            complaints.append(f"{pair.message.__name__} v{pair.version}: {data!r}, ours {ours!r}")
    assert_none(complaints)
    assert compared > 700


def test_kafka_writes_again_what_we_wrote(kafka_libs, tmp_path, seed, volume):
    count = volume(QUICK, LONG)
    path = tmp_path / "written_by_us"
    with path.open("wb") as stream:
        for pair, message in random_messages(SeededRandom(seed), count):
            stream.write(as_entry(pair, encode(message, pair.version)))
    checked = run_java(kafka_libs, "CheckMessages", path)
    path.unlink()
    summary = f"checked {count} messages, {len(all_pairs())} pairs, 0 mismatches"
    assert summary in checked.stdout, f"seed {seed}\n{checked.stdout[:20_000]}{checked.stderr}"


@pytest.mark.long
def test_jars_that_lie_beside_kafkas_own_change_nothing(kafka_libs, tmp_path, seed):
    (tmp_path / "libs").mkdir()
    crowded = crowded_libs(kafka_libs, tmp_path / "libs")
    written: list[bytes] = []
    for libs in (kafka_libs, crowded):
        path = tmp_path / f"written_{len(written)}"
        assert run_java(libs, "WriteMessages", seed, FEW, path).returncode == 0
        assert run_java(libs, "CheckMessages", path).returncode == 0
        written.append(path.read_bytes())
    assert written[0] == written[1]


def test_kafka_complains_about_a_wrong_byte(kafka_libs, tmp_path):
    pair = Pair(message_named("HeartbeatRequest"), 4)
    data = encode(blank(pair.message), pair.version)
    path = tmp_path / "wrong"
    path.write_bytes(as_entry(pair, data) + as_entry(pair, data + b"\0"))
    checked = run_java(kafka_libs, "CheckMessages", path)
    assert checked.returncode == 1
    assert "MISMATCH 1 HeartbeatRequest v4: 1 bytes left over" in checked.stdout
