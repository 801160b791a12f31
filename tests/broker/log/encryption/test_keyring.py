"""Data keys, asked of a key manager that counts what it is asked for."""

from __future__ import annotations

import pytest

from moldau.broker.log.encryption import keyring as module
from moldau.broker.log.encryption.encrypted_batch import batch_of, read_envelope
from moldau.broker.log.encryption.keyring import Keyring
from moldau.broker.log.encryption_port import KeyUnavailableError
from moldau.errors import CorruptRecordError, MoldauError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.records.batch import HEADER_SIZE, read_header
from tests.broker.log.batches import batch

PLAIN = bytes(batch(0, (b"a", b"b")))
LEAST = bytes(batch(0, (b"",)))
CONTROL_BIT = 0x20


class Service:
    """A key manager that wraps by exclusive or: what is tested is who asks it for what."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.version = 1
        self.is_down = False

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if self.is_down:
            raise MoldauError("the service does not answer")

    def current(self, name: str) -> str:
        self._ask("current")
        return f"arn:{name}/{self.version}"

    def wrap(self, key_id: str, data_key: bytes, context: bytes) -> bytes:
        self._ask("wrap")
        return bytes(one ^ 0x55 for one in data_key) + context

    def unwrap(self, key_id: str, wrapped: bytes, context: bytes) -> bytes:
        self._ask("unwrap")
        if not wrapped.endswith(context):
            raise CorruptRecordError("of another topic")
        return bytes(one ^ 0x55 for one in wrapped.removesuffix(context))


class Cluster:
    """A service, a clock, and keyrings of nodes that ask them."""

    def __init__(self) -> None:
        self.service, self.clock = Service(), SimulatedClock()
        self.nodes = 0

    def node(self) -> Keyring:
        self.nodes += 1
        return Keyring(self.service, self.clock, SeededRandom(self.nodes))


def encrypt(ring: Keyring, partition: str = "t-0") -> bytes:
    return bytes(ring.encrypt(partition, "k", PLAIN, read_header(PLAIN)))


def wrapped_in(stored: bytes) -> bytes:
    return read_envelope(stored, read_header(stored)).wrapped


def test_one_data_key_serves_a_topic_and_no_nonce_comes_twice():
    cluster = Cluster()
    ring = cluster.node()
    stored = [encrypt(ring, f"t-{index % 2}") for index in range(10)]
    assert cluster.service.asked == ["current", "wrap"]
    assert len({wrapped_in(one) for one in stored}) == 1
    assert len({read_envelope(one, read_header(one)).nonce for one in stored}) == 10
    assert len(set(stored)) == 10


def test_each_topic_and_each_run_of_a_node_has_a_data_key_of_its_own():
    cluster = Cluster()
    ring = cluster.node()
    keys = {
        wrapped_in(one) for one in (encrypt(ring), encrypt(ring, "u-0"), encrypt(cluster.node()))
    }
    assert len(keys) == 3


def test_another_node_reads_and_asks_for_each_data_key_once():
    cluster = Cluster()
    stored = encrypt(cluster.node())
    cluster.service.asked.clear()
    reader = cluster.node()
    for _ in range(3):
        assert reader.decrypt("t-0", stored) == PLAIN
    assert cluster.service.asked == ["unwrap"]


def test_a_second_later_the_version_is_asked_for_and_another_one_makes_another_data_key():
    cluster = Cluster()
    ring = cluster.node()
    first = encrypt(ring)
    cluster.service.version = 2
    assert wrapped_in(encrypt(ring)) == wrapped_in(first)
    cluster.clock.advance_ms(1_000)
    second = encrypt(ring)
    assert read_envelope(second, read_header(second)).key_id == "arn:k/2"
    assert ring.decrypt("t-0", first) == ring.decrypt("t-0", second) == PLAIN


def test_a_data_key_is_replaced_before_it_has_encrypted_too_much(monkeypatch):
    monkeypatch.setattr(module, "BATCHES_MAX", 3)
    ring = Cluster().node()
    stored = [encrypt(ring) for _ in range(7)]
    assert len({wrapped_in(one) for one in stored}) == 3
    nonces = {(wrapped_in(one), read_envelope(one, read_header(one)).nonce) for one in stored}
    assert len(nonces) == 7
    assert [ring.decrypt("t-0", one) for one in stored] == [PLAIN] * 7


def test_few_opened_data_keys_are_kept(monkeypatch):
    monkeypatch.setattr(module, "OPENED_MAX", 2)
    cluster = Cluster()
    stored = [encrypt(cluster.node()) for _ in range(5)]
    reader = cluster.node()
    assert [reader.decrypt("t-0", one) for one in stored * 2] == [PLAIN] * 10
    assert "2 keys read" in repr(reader)


def test_a_service_that_is_down_is_named_in_one_line(caplog):
    cluster = Cluster()
    stored = encrypt(cluster.node())
    cluster.service.is_down = True
    ring = cluster.node()
    for _ in range(3):
        with pytest.raises(KeyUnavailableError, match="t cannot be encrypted: the service does"):
            encrypt(ring)
        with pytest.raises(KeyUnavailableError, match=r"t-0: the batch at offset 0 cannot be"):
            ring.decrypt("t-0", stored)
    assert len(caplog.records) == 2
    cluster.service.is_down = False
    assert ring.decrypt("t-0", stored) == PLAIN


def test_a_batch_in_another_topic_is_refused_by_its_key():
    cluster = Cluster()
    stored = encrypt(cluster.node())
    with pytest.raises(CorruptRecordError, match="belongs elsewhere"):
        cluster.node().decrypt("u-0", stored)


def test_records_that_are_passed_off_as_a_marker_are_refused():
    ring = Cluster().node()
    short = Keyring(Service(), SimulatedClock(), SeededRandom(1))
    for stored in (encrypt(ring), bytes(short.encrypt("t-0", "k", LEAST, read_header(LEAST)))):
        header = read_header(stored)
        passed_off = header.replaced(attributes=header.attributes | CONTROL_BIT)
        forged = bytes(batch_of(passed_off, stored[HEADER_SIZE:]))
        with pytest.raises(CorruptRecordError, match="not as it was encrypted"):
            ring.decrypt("t-0", forged)


def test_what_shows_a_keyring_shows_no_key():
    cluster = Cluster()
    ring = cluster.node()
    encrypt(ring)
    assert repr(ring) == "Keyring(1 topics written, 0 keys read)"
