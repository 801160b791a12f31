"""A slow and a full disk on request, as clients that are not ours see them."""

from __future__ import annotations

import socket

import confluent_kafka
import pytest

from moldau.broker.node.log_dir_failure import LogDirFailureError
from moldau.client import Admin, Consumer
from moldau.client.admin import NewTopic
from moldau.errors import DiskFullError
from moldau.testing import Node, UnknownFaultError
from moldau.testing.disk import Disk, FaultyFiles
from tests.cluster.asking import until

TIMEOUT_S = 60


def produce(node, value, *, timeout_ms=60_000):
    """The error of its delivery, or None."""
    outcome = []
    given = {"bootstrap.servers": node.bootstrap, "message.timeout.ms": timeout_ms}
    producer = confluent_kafka.Producer(given)
    producer.produce("orders", value, on_delivery=lambda error, _: outcome.append(error))
    assert producer.flush(TIMEOUT_S) == 0
    return outcome[0]


def consumed(node, count):
    found: list[bytes] = []
    with Consumer(node.bootstrap, auto_offset_reset="earliest") as consumer:
        consumer.assign("orders")
        while len(found) < count:
            found += [record.value for record in consumer.poll()]
    return found


def create(node):
    with Admin(node.bootstrap) as admin:
        admin.create_topics(NewTopic("orders", 1)).all()


def is_refused(server):
    host, _, port = server.rpartition(":")
    try:
        socket.create_connection((host, int(port))).close()
    except ConnectionRefusedError:
        return True
    return False


def fill_up(directory):
    """A node runs until its disk is full, and then a record is sent to it."""
    with Node(directory) as node:
        create(node)
        assert produce(node, b"kept") is None
        fault = node.disk.full(word="orders")
        assert produce(node, b"refused", timeout_ms=500) is not None
        assert fault.met > 0
        until(lambda: is_refused(node.bootstrap))


def test_a_node_whose_disk_is_full_halts_and_keeps_what_it_has_acknowledged(tmp_path):
    with pytest.raises(LogDirFailureError, match="no room is left"):
        fill_up(tmp_path)
    with Node(tmp_path) as node:
        assert produce(node, b"after") is None
        assert consumed(node, 2) == [b"kept", b"after"]


def test_a_record_is_acknowledged_after_a_slow_disk_has_taken_it():
    with Node() as node:
        create(node)
        assert produce(node, b"one") is None
        with node.disk.slow(0.05, word="orders") as fault:
            assert produce(node, b"two") is None
        assert fault.met > 0
        met = fault.met
        assert produce(node, b"three") is None
        assert (fault.met, consumed(node, 3)) == (met, [b"one", b"two", b"three"])


def test_a_full_disk_can_be_read_and_cut_but_takes_no_byte(tmp_path):
    disk = Disk()
    file = FaultyFiles(disk).open(f"{tmp_path}/one", create=True)
    file.append(b"abc")
    disk.full()
    for write in (lambda: file.append(b"d"), lambda: file.write_at(2, b"xy")):
        with pytest.raises(DiskFullError, match="one"):
            write()
    file.write_at(0, b"x")
    file.truncate(2)
    file.sync()
    assert file.read_at(0, 9) == b"xb"
    with pytest.raises(DiskFullError):
        FaultyFiles(disk).open(f"{tmp_path}/two", create=True)
    disk.clear()
    file.append(b"d")
    assert (file.size(), repr(disk)) == (3, "<Disk: none>")
    file.close()


def test_a_fault_is_for_the_files_that_it_names(tmp_path):
    disk = Disk()
    files = FaultyFiles(disk)
    fault = disk.full(word="orders-0")
    other = files.open_seldom(f"{tmp_path}/payments-0", create=True)
    other.append(b"x")
    other.close()
    assert (fault.met, disk.full().met) == (0, 0)
    with pytest.raises(UnknownFaultError, match="more than 0"):
        disk.slow(0)
