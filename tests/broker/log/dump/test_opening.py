"""Encrypted batches are shown with their keys, and without them a dump names what it lacks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.directory.names import parse_directory_name
from moldau.broker.log.dump.any_file import DumpOptions, dump_file
from moldau.broker.log.dump.decoders import PlainDecoder, as_text
from moldau.broker.log.dump.log_lines import LogOptions
from moldau.broker.log.dump.opening import NoKeysError, Opening, PartitionUnknownError, partition_of
from moldau.broker.log.dump.report import Report
from moldau.errors import CorruptRecordError
from tests.broker.log.batches import batch, marker
from tests.broker.log.encryption.encrypted_logs import EncryptedBench, key_line
from tests.broker.log.logs import DIRECTORY

LOG = f"{DIRECTORY}/00000000000000000000.log"
TEXT = PlainDecoder(as_text, as_text)


@pytest.fixture
def bench():
    """Two versions of a key, and a batch with each."""
    bench = EncryptedBench()
    log = bench.open()
    log.append_as_leader(batch(0, (b"first",)), 0)
    bench.set_keys(key_line(1) + key_line(2))
    log.append_as_leader(batch(0, (b"second",)), 0)
    log.close()
    return bench


def lines(bench, opening, path=LOG, *, deep=True):
    report = Report()
    options = DumpOptions(LogOptions(deep=deep, decoder=TEXT if deep else None, opening=opening))
    shown = dump_file(bench.files, path, options, report)
    assert shown is not None
    return [line.text for line in shown], list(report.lines())


def test_records_are_shown_with_the_keys_of_all_versions(bench):
    (_, first, one, second, two), findings = lines(bench, Opening(bench.keyring()))
    assert first.endswith("isvalid: true encryptedWith: orders.1")
    assert second.endswith("encryptedWith: orders.2")
    assert (one.rpartition(" ")[2], two.rpartition(" ")[2]) == ("first", "second")
    assert findings == []


def test_batches_and_indexes_are_shown_without_keys_and_records_name_what_lacks(bench):
    shown, _ = lines(bench, Opening(), deep=False)
    assert len(shown) == 3
    assert lines(bench, Opening(), LOG.replace(".log", ".timeindex"))[1] == []
    with pytest.raises(NoKeysError, match="the batch at offset 0 is encrypted"):
        lines(bench, Opening())


def test_a_file_elsewhere_needs_its_partitions_name(bench):
    bench.files.rename(LOG, "00000000000000000000.log")
    there = Opening(bench.keyring(), directory="/nowhere")
    with pytest.raises(PartitionUnknownError, match="lies in no partition's directory"):
        lines(bench, there, "00000000000000000000.log")
    name = DIRECTORY.rpartition("/")[2]
    for known in (replace(there, partition=name), replace(there, directory=f"/data/{name}")):
        assert len(lines(bench, known, "00000000000000000000.log")[0]) == 5
    with pytest.raises(CorruptRecordError, match="belongs elsewhere"):
        lines(bench, replace(there, partition=f"{name}7"), "00000000000000000000.log")


def test_markers_hold_nothing_of_a_client_and_are_shown_without_keys():
    bench = EncryptedBench()
    log = bench.open()
    log.append_as_leader(marker(7, commit=False), 0, AppendOrigin.COORDINATOR)
    log.close()
    shown, _ = lines(bench, Opening())
    assert "endTxnMarker: ABORT" in shown[2]


@pytest.mark.parametrize("name", ["a.b-3", f"a.b-3.{'0' * 32}-future", f"a.b-3.{'0' * 32}-stray"])
def test_the_partition_is_that_of_its_directory(name):
    assert parse_directory_name(name) is not None
    assert partition_of(f"data/{name}/00000000000000000000.log") == "a.b-3"
