"""Which keys segments need is found out from the segments alone."""

from __future__ import annotations

import pytest

from moldau.broker.log.encryption.keys_in_use import keys_in_use
from moldau.errors import FileMissingError
from tests.broker.log.batches import batch
from tests.broker.log.encryption.encrypted_logs import EncryptedBench, key_line
from tests.broker.log.logs import DIRECTORY


def test_every_version_is_found_with_its_batches_and_topics():
    bench = EncryptedBench()
    log = bench.open()
    sizes = {"orders.1": 0, "orders.2": 0}
    for key_id, count in (("orders.1", 30), ("orders.2", 2)):
        bench.set_keys(key_line(1) + (key_line(2) if key_id == "orders.2" else ""))
        start = log_size(bench)
        for _ in range(count):
            log.append_as_leader(batch(0, (b"x" * 200,)), 0)
        sizes[key_id] = log_size(bench) - start
    log.close()
    found = keys_in_use(bench.files, ["data"])
    assert {key_id: (use.batches, use.size) for key_id, use in found.items()} == {
        "orders.1": (30, sizes["orders.1"]),
        "orders.2": (2, sizes["orders.2"]),
    }
    assert found["orders.1"].topics == {"topic"}
    assert len(bench.names(".log")) > 1


def log_size(bench: EncryptedBench) -> int:
    return sum(len(bench.contents(name)) for name in bench.names(".log"))


def test_damage_and_other_files_end_nothing_else():
    bench = EncryptedBench()
    log = bench.open()
    log.append_as_leader(batch(0, (b"x",)), 0)
    log.close()
    bench.files.open(f"{DIRECTORY}/00000000000000000009.log", create=True).append(b"nonsense" * 20)
    bench.files.make_directory("data/other")
    bench.files.open("data/meta.properties", create=True).append(b"x")
    assert list(keys_in_use(bench.files, ["data"])) == ["orders.1"]
    with pytest.raises(FileMissingError, match="there is no such log directory"):
        keys_in_use(bench.files, ["gone"])
