"""More clients that keep working while nodes of their cluster fail: our own, and Java's.

Beside those of `workload`, which are librdkafka's. Each writes into all partitions and notes what
was acknowledged, or is the member of a group and notes what it has read: a member that has lost its
coordinator reads some again, so that of these only the set counts.
"""

from __future__ import annotations

from collections import deque
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any

from moldau.client import Consumer, Producer
from moldau.client.deliveries import SyncDelivery
from moldau.client.errors import ClientError
from tests.crash.history import History, Outcome, Poll, Send
from tests.crash.workload import ANSWER_TIMEOUT_S, BATCH, PARTITIONS, Client
from tests.judges.kafka_tools import KafkaTools, events

IN_FLIGHT_MAX = 1000
POLL_S = 0.2
PACED_S = 0.02
JAVA_RECORDS_A_SECOND = 400
"""Each make has its share of the records: librdkafka's producer is as fast as it is answered."""
WITH_RETRIES = "retries=2147483647\nenable.idempotence=true\n"
"""Java's verifiable producer tries nothing again by itself."""
UNLIMITED = -1
NOWHERE = -1
"""The partition of a send that failed: Java's client chooses it, and does not say which."""


class OwnProducer(Client):
    """Sends with all in sync, idempotent as it is by default, each value to a partition."""

    def __init__(self, name: str, seed: int, bootstrap: str, topic: str) -> None:
        super().__init__(name, seed)
        self._bootstrap, self._topic = bootstrap, topic
        self._sends: list[tuple[int, str, SyncDelivery]] = []
        self._under_way: deque[SyncDelivery] = deque()

    @property
    def acknowledged(self) -> int:
        return len(self._sends) - len(self._under_way)

    def work(self) -> None:
        values = count()
        limit_ms = 1000 * 10 * ANSWER_TIMEOUT_S
        with Producer(self._bootstrap, linger_ms=1, delivery_timeout_ms=limit_ms) as producer:
            while not self._stopping.wait(PACED_S):
                for _ in range(self._random.randrange(1, BATCH)):
                    partition = self._random.randrange(PARTITIONS)
                    value = f"{self.name}-{next(values)}"
                    self._under_way.append(
                        producer.send(self._topic, value.encode(), partition=partition)
                    )
                    self._sends.append((partition, value, self._under_way[-1]))
                while len(self._under_way) > IN_FLIGHT_MAX:
                    self._under_way.popleft().result(ANSWER_TIMEOUT_S)
            producer.flush(ANSWER_TIMEOUT_S)

    def record(self, history: History) -> None:
        for partition, value, delivery in self._sends:
            try:
                offset = delivery.result(0).offset
            except ClientError:
                history.sends.append(Send(self.name, partition, value, Outcome.UNKNOWN))
            else:
                history.sends.append(Send(self.name, partition, value, Outcome.OK, offset))


class Reads:
    """What a member of a group has read, by partition and offset; safe to be asked meanwhile."""

    def __init__(self) -> None:
        self._records: set[tuple[int, int, str]] = set()
        self._lock = Lock()

    def add(self, partition: int, offset: int, value: str) -> None:
        with self._lock:
            self._records.add((partition, offset, value))

    def values(self) -> set[str]:
        with self._lock:
            return {value for _, _, value in self._records}

    def record(self, name: str, history: History) -> None:
        """As one poll of each partition: which it read again does not matter."""
        for partition in range(PARTITIONS):
            found = sorted(
                (offset, value) for part, offset, value in self._records if part == partition
            )
            history.polls.append(Poll(name, partition, tuple(found), committed_only=False))


class OwnMember(Client):
    """Reads the whole topic as a member of a group, and commits by itself."""

    def __init__(self, name: str, seed: int, bootstrap: str, topic: str) -> None:
        super().__init__(name, seed)
        self._bootstrap, self._topic = bootstrap, topic
        self.reads = Reads()

    def work(self) -> None:
        with Consumer(
            self._bootstrap, group_id=self.name, auto_offset_reset="earliest"
        ) as consumer:
            consumer.subscribe(self._topic)
            while not self._stopping.is_set():
                for record in consumer.poll(POLL_S):
                    assert isinstance(record.value, bytes)
                    self.reads.add(record.partition, record.offset, record.value.decode())

    def record(self, history: History) -> None:
        self.reads.record(self.name, history)


class JavaClient(Client):
    """One of the verifiable programs, which print what they do."""

    tool = ""

    def __init__(self, name: str, tools: KafkaTools, words: str) -> None:
        super().__init__(name, seed=0)
        self._process = tools.started(self.tool, words)

    def stop(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        """It must not outlive a test that failed."""
        with self._process:
            self._process.kill()

    def work(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            for event in events(line):
                self.note(event)

    def note(self, event: dict[str, Any]) -> None:
        raise NotImplementedError


class JavaProducer(JavaClient):
    """Idempotent, with all in sync; its values are numbers behind `prefix`."""

    tool = "verifiable-producer"

    def __init__(self, prefix: int, tools: KafkaTools, topic: str, folder: Path) -> None:
        config = folder / "verifiable.properties"
        config.write_text(WITH_RETRIES)
        pace = f"--max-messages {UNLIMITED} --throughput {JAVA_RECORDS_A_SECOND} --acks -1"
        words = f"--topic {topic} {pace} --value-prefix {prefix} --command-config {config}"
        super().__init__("java", tools, words)
        self._acknowledged: dict[int, Send] = {}
        self._failed: dict[int, Send] = {}

    @property
    def acknowledged(self) -> int:
        return len(self._acknowledged)

    def note(self, event: dict[str, Any]) -> None:
        if event["name"] not in ("producer_send_success", "producer_send_error"):
            return
        value = event["value"]
        number = int(value.partition(".")[2])
        if event["name"] == "producer_send_success":
            place = event["partition"], value, Outcome.OK, event["offset"]
            self._acknowledged[number] = Send(self.name, *place)
        else:
            self._failed[number] = Send(f"{value} of java", NOWHERE, value, Outcome.UNKNOWN)

    def record(self, history: History) -> None:
        """In the order of its numbers, which is that of its sends."""
        sends = {**self._failed, **self._acknowledged}
        history.sends += [sends[number] for number in sorted(sends)]


class JavaMember(JavaClient):
    """Reads the whole topic as a member of a group, and commits what it has printed."""

    tool = "verifiable-consumer"

    def __init__(self, protocol: str, tools: KafkaTools, topic: str) -> None:
        name = f"java-{protocol}"
        group = f"--group-id {name} --group-protocol {protocol} --reset-policy earliest"
        super().__init__(name, tools, f"--topic {topic} {group} --verbose")
        self.reads = Reads()

    def note(self, event: dict[str, Any]) -> None:
        if event["name"] == "record_data":
            self.reads.add(event["partition"], event["offset"], event["value"])

    def record(self, history: History) -> None:
        self.reads.record(self.name, history)
