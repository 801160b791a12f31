"""What clients of a real node write into the judged topics, round by round.

A round holds all codecs, idempotent and plain producers, headers, missing keys and values,
timestamps that jump about, transactions that overlap, commit and abort, and one that stays open
to the end. Each `flush` is a batch of its own.
"""

from __future__ import annotations

import time
from random import Random

from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from moldau.broker.log.directory.offset_checkpoint import CLEANER_OFFSETS
from tests.judges.judged_topics import KINDS, UNTOUCHED, topic_configs
from tests.judges.kafka_node import KafkaNode
from tests.judges.kafka_view import wait_for_transactions

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
BATCHES = 3
RECORDS = 12
"""In a batch, at most."""
KEYS = 9
HOUR_MS = 3_600_000
LINGER_MS = 5_000
"""Nothing leaves before its flush."""
OPEN_TIMEOUT_MS = 900_000
TIMEOUT_S = 60
POLL_S = 0.05
THEIRS, OURS = "theirs", "ours"


class KafkaWriter:
    """Writes to `<owner>-<kind>` topics of one node."""

    def __init__(self, node: KafkaNode, random: Random) -> None:
        self._node = node
        self._random = random
        self._left_open: list[Producer] = []

    def create_topics(self) -> None:
        """Those that the node fills, and those that a log of ours will fill."""
        wanted = [NewTopic(f"{THEIRS}-{kind}", 1, 1, config=topic_configs(kind)) for kind in KINDS]
        for kind in KINDS:
            configs = {**topic_configs(kind), **UNTOUCHED}
            wanted.append(NewTopic(f"{OURS}-{kind}", 1, 1, config=configs))
        admin = AdminClient({"bootstrap.servers": self._node.bootstrap})
        for created in admin.create_topics(wanted).values():
            created.result(TIMEOUT_S)
        for topic in wanted:
            wait_for_transactions(self._node, topic.topic)

    def write_round(self, owner: str, name: str, *, leave_open: bool = False) -> None:
        """Append to all topics of the owner; `name` makes transactional ids unique."""
        for topic in (f"{owner}-codecs", f"{owner}-appended", f"{owner}-trimmed"):
            for codec in CODECS:
                self._write_plain(topic, codec)
        topic = f"{owner}-compacted"
        for codec in CODECS:
            self._write_plain(topic, codec, keyless=False)
        self._write_transactions(topic, f"{name}-{topic}", keyless=False)
        topic = f"{owner}-transactions"
        self._write_transactions(topic, f"{name}-{topic}")
        if leave_open:
            self._begin(topic, f"open-{name}")

    def trim(self, topic: str, offset: int) -> None:
        """Have all reads begin at the offset, which may lie within a batch."""
        admin = AdminClient({"bootstrap.servers": self._node.bootstrap})
        for done in admin.delete_records([TopicPartition(topic, 0, offset)]).values():
            done.result(TIMEOUT_S)

    def wait_for_compaction(self, topic: str) -> None:
        """Until the cleaner has been through all sealed segments."""
        bases = [int(path.stem) for path in (self._node.data / f"{topic}-0").glob("*.log")]
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            lines = (self._node.data / CLEANER_OFFSETS).read_text().splitlines()
            if f"{topic} 0 {max(bases)}" in lines:
                return
            time.sleep(POLL_S)
        raise AssertionError(f"the cleaner did not come to {max(bases)} in {topic}")

    def _write_plain(self, topic: str, codec: str, *, keyless: bool = True) -> None:
        producer = self._producer(
            {"compression.type": codec, "enable.idempotence": self._random.random() < 0.5}
        )
        for _ in range(BATCHES):
            self._produce(producer, topic, keyless)

    def _write_transactions(self, topic: str, name: str, *, keyless: bool = True) -> None:
        """Two producers whose transactions overlap, and one without any in between."""
        plain = self._producer({})
        first, second = (self._transactional(f"{name}-{index}") for index in range(2))
        for number in range(BATCHES):
            first.begin_transaction()
            self._produce(first, topic, keyless)
            second.begin_transaction()
            self._produce(second, topic, keyless)
            self._produce(plain, topic, keyless)
            self._produce(first, topic, keyless)
            self._end(second, commit=number % 2 == 0)
            self._produce(first, topic, keyless)
            self._end(first, commit=number % 3 == 0)

    def _begin(self, topic: str, name: str) -> None:
        producer = self._transactional(name)
        producer.begin_transaction()
        self._produce(producer, topic, keyless=True)
        self._left_open.append(producer)

    def _produce(self, producer: Producer, topic: str, keyless: bool) -> None:
        random = self._random
        now_ms = int(time.time() * 1000)
        for index in range(random.randint(1, RECORDS)):
            without_key = keyless and random.random() < 0.2
            producer.produce(
                topic,
                key=None if without_key else b"k%d" % random.randrange(KEYS),
                value=None if random.random() < 0.2 else random.randbytes(random.randrange(300)),
                headers=[("a", b"1"), ("a", None), ("\u010d", b"")] if index % 4 == 1 else None,
                timestamp=now_ms - random.randrange(HOUR_MS),
                partition=0,
            )
        assert producer.flush(TIMEOUT_S) == 0

    def _transactional(self, name: str) -> Producer:
        producer = self._producer(
            {"transactional.id": name, "transaction.timeout.ms": OPEN_TIMEOUT_MS}
        )
        producer.init_transactions(TIMEOUT_S)
        return producer

    def _end(self, producer: Producer, *, commit: bool) -> None:
        if commit:
            producer.commit_transaction(TIMEOUT_S)
        else:
            producer.abort_transaction(TIMEOUT_S)

    def _producer(self, settings: dict[str, object]) -> Producer:
        return Producer(
            {"bootstrap.servers": self._node.bootstrap, "linger.ms": LINGER_MS, **settings}
        )
