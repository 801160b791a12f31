"""The core of an idempotent producer, brokers that are late or refuse, and connections that break.

    result = sent(seed)

The core is the one of our clients; time, the network and the brokers are a heap of events here, so
that a scenario takes milliseconds. A connection breaks with all that is under way on it: a request
was appended, is appended later or is lost, and no answer comes. What arrives late arrives before
what later connections bring to the same broker: against the reverse no producer is safe that sends
again under the next epoch (KIP-360). Delivery timeouts are short, so that records are given up in
every state that they can be in. When all is quiet, a last record goes to each partition.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from moldau.client.core.producing.batch import Delivery, Identity
from moldau.client.core.producing.events import (
    Answered,
    Broken,
    Effect,
    Event,
    Identified,
    Identify,
    Refresh,
    Refreshed,
    Send,
    Settled,
    Tick,
)
from moldau.client.core.producing.sender import Sender
from moldau.client.errors import UnreachableError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.data.produce import ProduceResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import metadata
from tests.client.conversation import context
from tests.client.core.producing.made import settings_of
from tests.simulation.plain_leaders import POISON, Partition, Row

TOPIC = "t"
BROKERS = (1, 2)
RECORDS = 120
PAUSE_MS = 40
"""At most, between two records."""
QUIET_MS = 5_000
"""Of the last trouble nothing is left after it."""
DELAY_MS = 30
REQUEST_TIMEOUT_MS = 150
LATE_MS = 400
TENTHS = 10
REFUSED_BEFORE = (ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.KAFKA_STORAGE_ERROR)
REFUSED_AFTER = (ErrorCode.REQUEST_TIMED_OUT, ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
"""It is appended all the same."""
EPOCH_LAST = 0x7FFE
AnsweredTopic = ProduceResponse.TopicProduceResponse
AnsweredRow = AnsweredTopic.PartitionProduceResponse


@dataclass
class Result:
    """What came of it."""

    sent: list[tuple[bytes, Delivery]] = field(default_factory=list)
    last: list[Delivery] = field(default_factory=list)
    """Sent when all was quiet."""
    logs: list[list[bytes]] = field(default_factory=list)
    mark: str = ""
    """Of all that happened."""


@dataclass(eq=False)
class Connection:
    """To one broker, until it breaks."""

    under_way: list[Send] = field(default_factory=list)
    arrives_ms: int = 0
    """When the last request does; later ones are not earlier, nor are those of the next."""
    is_dead: bool = False
    """Nothing arrives any more."""
    answers_ms: int = 0
    """When the last answer arrives."""
    is_mute: bool = False
    """Nothing is answered any more."""


def sent(seed: int) -> Result:
    return Scenario(seed).run()


class Scenario:
    def __init__(self, seed: int) -> None:
        self._random = SeededRandom(seed)
        draw = self._random.randrange
        backoff = {"retry_backoff_ms": "20", "retry_backoff_max_ms": "100"}
        given = {
            **backoff,
            "delivery_timeout_ms": f"{draw(200, 1500)}",
            "request_timeout_ms": f"{REQUEST_TIMEOUT_MS}",
            "linger_ms": f"{draw(0, 20)}",
            "batch_size": f"{draw(1, 500)}",
            "max_in_flight_requests_per_connection": f"{draw(1, 6)}",
        }
        self._context = context(**backoff)
        self._sender = Sender(self._context, settings_of(**given))
        self._partitions = [Partition(leader) for leader in BROKERS]
        self._connections = {node: Connection() for node in BROKERS}
        self._most_bytes = draw(120, 600)
        self._trouble = draw(1, 4)
        """Requests of ten that meet it."""
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()
        self._now_ms = 0
        self._result = Result()
        self._marks = hashlib.sha256()

    def run(self) -> Result:
        at_ms = 0
        for number in range(RECORDS):
            at_ms += self._random.randrange(0, PAUSE_MS)
            self._later(at_ms, partial(self._add, number))
            if not self._random.randrange(0, TENTHS):
                self._later(at_ms, self._move)
        self._later(at_ms, self._end_trouble)
        self._later(at_ms + QUIET_MS, self._add_last)
        while self._events:
            self._now_ms, _, action = heapq.heappop(self._events)
            action()
        self._result.logs = [partition.log for partition in self._partitions]
        self._result.mark = self._marks.hexdigest()
        return self._result

    # the program

    def _add(self, number: int) -> None:
        poison = POISON if not self._random.randrange(0, 3 * TENTHS) else b""
        self._result.sent.append(self._sent(b"%s%05d" % (poison, number), number % 2))

    def _add_last(self) -> None:
        for index in range(len(self._partitions)):
            value, delivery = self._sent(b"%05d" % RECORDS, index)
            self._result.sent.append((value, delivery))
            self._result.last.append(delivery)

    def _sent(self, value: bytes, partition: int) -> tuple[bytes, Delivery]:
        delivery = Delivery(TOPIC, value, None, partition, 1000, (), None)
        self._sender.add(delivery, self._now_ms)
        self._step(Tick())
        return value, delivery

    # the producer

    def _step(self, event: Event) -> None:
        self._note(event)
        effects = self._sender.step(event, self._now_ms)
        if effects.wake_at_ms is not None:
            self._later(int(effects.wake_at_ms) + 1 - self._now_ms, partial(self._step, Tick()))
        for effect in effects.effects:
            self._carry_out(effect)

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Send():
                self._send(effect)
            case Refresh():
                self._later(self._delay(), partial(self._refresh, effect))
            case Identify():
                epoch = EPOCH_LAST - self._random.randrange(0, 5)
                identity = Identity(self._random.randrange(1, 1_000_000), epoch)
                self._later(self._delay(), partial(self._step, Identified(identity)))
            case Settled():
                pass
            case _:
                raise AssertionError(f"{effect!r} is of a transaction")

    def _refresh(self, effect: Refresh) -> None:
        error = None
        if self._is_troubled():
            error = UnreachableError("b1:9092", "it is cut off")
        else:
            leaders = {
                index: (partition.leader, partition.leader_epoch)
                for index, partition in enumerate(self._partitions)
            }
            self._context.cluster.apply_metadata(metadata({TOPIC: leaders}), self._now_ms)
        self._step(Refreshed(effect.topics, error))

    # the network

    def _send(self, send: Send) -> None:
        connection = self._connections[send.node_id]
        connection.under_way.append(send)
        if not connection.is_dead and self._is_troubled():
            self._trouble_on(connection)
        connection.arrives_ms = max(connection.arrives_ms, self._now_ms + self._delay())
        if not connection.is_dead:
            wait_ms = connection.arrives_ms - self._now_ms
            self._later(wait_ms, partial(self._arrive, connection, send))
        self._later(REQUEST_TIMEOUT_MS, partial(self._time_out, connection, send))

    def _trouble_on(self, connection: Connection) -> None:
        if self._random.randrange(0, 2):
            connection.is_dead = True
        else:
            connection.arrives_ms = self._now_ms + self._random.randrange(0, LATE_MS)

    def _arrive(self, connection: Connection, send: Send) -> None:
        rows = self._append(send)
        self._note(rows)
        connection.is_mute |= self._is_troubled()
        if connection.is_mute:
            return
        answer = ProduceResponse(responses=[AnsweredTopic(name=TOPIC, partition_responses=rows)])
        connection.answers_ms = max(connection.answers_ms, self._now_ms + self._delay())
        wait_ms = connection.answers_ms - self._now_ms
        self._later(wait_ms, partial(self._answer, connection, send, answer))

    def _answer(self, connection: Connection, send: Send, answer: ProduceResponse) -> None:
        if send in connection.under_way:
            connection.under_way.remove(send)
            self._step(Answered(send, answer))

    def _time_out(self, connection: Connection, send: Send) -> None:
        if send not in connection.under_way:
            return
        self._connections[send.node_id] = Connection(arrives_ms=connection.arrives_ms)
        under_way, connection.under_way = connection.under_way, []
        for one in under_way:
            self._step(Broken(one, UnreachableError(f"b{one.node_id}:9092", "it is silent")))

    # the brokers

    def _append(self, send: Send) -> list[AnsweredRow]:
        rows = list[AnsweredRow]()
        for data in send.request.topic_data[0].partition_data:
            assert isinstance(data.records, bytearray), "what a producer has packed"
            row = self._append_to(self._partitions[data.index], send.node_id, data.records)
            rows.append(AnsweredRow(index=data.index, error_code=row.code, base_offset=row.offset))
        return rows

    def _append_to(self, partition: Partition, node_id: int, records: bytearray) -> Row:
        if partition.leader != node_id:
            return Row(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        if self._is_troubled():
            return Row(self._one_of(REFUSED_BEFORE))
        row = partition.append(records, self._most_bytes)
        if row.code is ErrorCode.NONE and self._is_troubled():
            return Row(self._one_of(REFUSED_AFTER))
        return row

    def _move(self) -> None:
        partition = self._partitions[self._random.randrange(0, len(self._partitions))]
        partition.move(BROKERS[self._random.randrange(0, len(BROKERS))])

    # chance

    def _end_trouble(self) -> None:
        self._trouble = 0

    def _is_troubled(self) -> bool:
        return self._random.randrange(0, TENTHS) < self._trouble

    def _delay(self) -> int:
        return self._random.randrange(1, DELAY_MS) if self._trouble else 1

    def _one_of(self, codes: tuple[ErrorCode, ...]) -> ErrorCode:
        return codes[self._random.randrange(0, len(codes))]

    def _later(self, wait_ms: int, action: Callable[[], None]) -> None:
        heapq.heappush(self._events, (self._now_ms + wait_ms, next(self._order), action))

    def _note(self, what: object) -> None:
        self._marks.update(f"{self._now_ms} {what!r}\n".encode())
