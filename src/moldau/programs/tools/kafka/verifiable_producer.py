"""`moldau verifiable-producer`: whole numbers are sent, and what became of each is an event."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import RecordMetadata
from moldau.client.errors import ClientError, RefusedError
from moldau.platform.system.waiting import interrupted_when_terminated
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, settings_file
from moldau.programs.tools.kafka.flags import Flag, Given, Takes
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.verifiable_events import (
    CONFIG,
    MAX_MESSAGES,
    TOPIC,
    Events,
    check_choice,
    check_flags,
    java_class_of,
    only_one_config,
)
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.client import Producer

__all__ = ["FLAGS", "run"]

TOOL = "verifiable-producer"
MS_PER_SECOND = 1000
INVALID_NAME = ErrorCode.INVALID_TOPIC_EXCEPTION
ACKS = Flag("acks", "0, 1 or -1.", Takes.INT, "ACKS", "-1")

FLAGS = (
    TOPIC,
    BOOTSTRAP,
    MAX_MESSAGES,
    Flag("throughput", "Records per second at most; -1 for no limit.", Takes.INT, default="-1"),
    ACKS,
    Flag("message-create-time", "The first record's time (ms since 1970).", Takes.LONG),
    Flag("value-prefix", "What stands before each value, and a dot.", Takes.INT),
    Flag("repeating-keys", "Keys 0, 1, … up to this one, and again.", Takes.INT),
    CONFIG,
    Flag("producer.config", "", Takes.TEXT, "FILE", instead="command-config"),
)


def run(given: Given, world: World) -> int:
    check_flags(TOOL, given, FLAGS)
    given.number(ACKS.name)
    check_choice(TOOL, given, ACKS, ("0", "1", "-1"))
    only_one_config(TOOL, given, "producer.config", world)
    path = given.text("producer.config") or given.text("command-config")
    settings: dict[str, object] = {
        "bootstrap.servers": given.text("bootstrap-server"),
        "acks": given.text("acks"),
        "retries": "0",
        "enable.idempotence": "false",
    }
    settings |= settings_file(world.files, path)
    with interrupted_when_terminated():
        _Sending(given, world).run(settings)
    return 0


class _Sending:
    """Sends until there are enough, or until it is ended."""

    def __init__(self, given: Given, world: World) -> None:
        self._given = given
        self._world = world
        self._events = Events(world)
        self._topic = given.text("topic") or ""
        self._prefix = given.number("value-prefix")
        self._keys = given.number("repeating-keys")
        self._created_ms = given.number("message-create-time")
        self._sent = self._acked = 0
        self._start_ms = world.clock.now_ms()

    def run(self, settings: dict[str, object]) -> None:
        producer = clients.Producer(settings)
        self._events.write("startup_complete")
        try:
            self._send_all(producer)
        except KeyboardInterrupt:
            pass  # this is how it is ended
        finally:
            producer.close()
            self._events.write("shutdown_complete")
            self._events.write("tool_data", **self._summary())

    def _numbers(self) -> Iterator[int]:
        most = self._given.number("max-messages") or 0
        return iter(range(most)) if most >= 0 else count()

    def _send_all(self, producer: Producer) -> None:
        throughput = self._given.number("throughput") or 0
        for number in self._numbers():
            self._send(producer, number)
            if throughput > 0:
                due_ms = self._start_ms + (number + 1) * MS_PER_SECOND / throughput
                self._world.wait((due_ms - self._world.clock.now_ms()) / MS_PER_SECOND)
            while throughput == 0:  # until it is ended, as Kafka's tool
                self._world.wait(1)
        producer.flush()

    def _send(self, producer: Producer, number: int) -> None:
        value = str(number) if self._prefix is None else f"{self._prefix}.{number}"
        key = self._key(number)
        created_ms = None
        if self._created_ms is not None and self._created_ms >= 0:
            created_ms = self._created_ms + self._world.clock.now_ms() - self._start_ms
        self._sent += 1

        def arrived(metadata: RecordMetadata | None, error: ClientError | None) -> None:
            self._arrived(key, value, metadata, error)

        producer.send(
            self._topic,
            value.encode(),
            key=None if key is None else key.encode(),
            timestamp=created_ms,
            on_delivery=arrived,
        )

    def _key(self, number: int) -> str | None:
        """With 0 keys they go on and on, as in Kafka's tool."""
        if self._keys is None or self._keys < 0:
            return None
        return str(number % self._keys if self._keys else number)

    def _arrived(
        self,
        key: str | None,
        value: str,
        metadata: RecordMetadata | None,
        error: ClientError | None,
    ) -> None:
        """It is called in the background, by one thread."""
        if metadata is not None:
            self._acked += 1
            self._events.write(
                "producer_send_success",
                key=key,
                value=value,
                offset=metadata.offset,
                topic=metadata.topic,
                partition=metadata.partition,
            )
        elif error is not None:
            self._events.write(
                "producer_send_error",
                topic=self._topic,
                key=key,
                value=value,
                exception=f"class {java_class_of(error)}",
                message=self._why(error),
            )

    def _why(self, error: ClientError) -> str:
        is_name = isinstance(error, RefusedError) and error.error is INVALID_NAME
        return f"Invalid topics: [{self._topic}]" if is_name else cause_of(error)

    def _summary(self) -> dict[str, object]:
        elapsed_ms = max(1, self._world.clock.now_ms() - self._start_ms)
        return {
            "sent": self._sent,
            "acked": self._acked,
            "target_throughput": self._given.number("throughput"),
            "avg_throughput": self._acked * MS_PER_SECOND / elapsed_ms,
        }
