"""Many consumers with incremental fetch sessions (KIP-227), and records that trickle in.

Every consumer reads all partitions of one topic in a session of its own. One record at a time is
produced, to one partition after the other, so each answer has one partition or a few, and each
request names only those. Shown are the fetches that were answered in the time, and how long a
record took from its producer to each consumer: its value begins with the time at which it was sent.

    python -m bench.versus.generators.fetch_sessions PORT TOPIC --partitions 20 --consumers 50
"""

from __future__ import annotations

import argparse
import json
import select
import socket
import time
from dataclasses import asdict, replace
from struct import Struct

from bench.versus.asking import HOST, Connection
from bench.versus.generators.fetch_frames import VALUE_AT, Found, fetch_frame, read_answer
from bench.versus.generators.questions import RECORD_BYTES, one_record, produce_frame
from bench.versus.generators.tally import NANOSECONDS_PER_SECOND, Tally, tally
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.records.batch import set_checksum
from moldau.protocol.wire.error_codes import ErrorCode

RECEIVE_BYTES = 256 * 1024
POLL_S = 0.001
SIZE = Struct(">i")
STAMP = Struct(">q")
EARLY = (0, ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
BATCH = one_record(bytes(RECORD_BYTES))


def connect(port: int) -> socket.socket:
    link = socket.create_connection((HOST, port))
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


class Consumer:
    """One connection with its session."""

    __slots__ = ("changed", "link", "offsets", "received", "session_epoch", "session_id", "topic")

    def __init__(self, port: int, topic_id: bytes, partitions: int) -> None:
        self.link = connect(port)
        self.topic = topic_id
        self.offsets = [0] * partitions
        self.changed = list(range(partitions))
        self.session_id = self.session_epoch = 0
        self.received = b""

    def fetch(self) -> None:
        named = [(partition, self.offsets[partition]) for partition in self.changed]
        self.link.sendall(fetch_frame(self.topic, self.session_id, self.session_epoch, named))

    def take(self, delays_ns: list[int]) -> bool:
        """Whether an answer is now whole; then the next fetch has left."""
        piece = self.link.recv(RECEIVE_BYTES)
        assert piece, "the broker closed a connection"
        frame = self.received + piece
        if len(frame) < SIZE.size or len(frame) < SIZE.unpack_from(frame)[0] + SIZE.size:
            self.received = frame
            return False
        self.received = b""
        self._go_on(frame[SIZE.size :], delays_ns)
        self.fetch()
        return True

    def _go_on(self, frame: bytes, delays_ns: list[int]) -> None:
        session_id, found = read_answer(frame)
        assert self.session_id in (0, session_id), "the broker gave up a session"
        self.session_id, self.session_epoch = session_id, self.session_epoch + 1
        self.changed = [one.partition for one in found if one.stamps or is_early(one)]
        now_ns = time.perf_counter_ns()
        for one in found:
            if one.stamps:
                self.offsets[one.partition] = one.next_offset
                delays_ns.extend(now_ns - stamp for stamp in one.stamps)


def is_early(found: Found) -> bool:
    """Whether the broker has the partition, and does not lead it yet."""
    assert found.error_code in EARLY, f"a fetch failed with error {found.error_code}"
    return found.error_code != 0


class Trickle:
    """A producer of single records: sends one when it is time, and takes answers as they come."""

    def __init__(self, port: int, topic: str, partitions: int, rate: float) -> None:
        self.link = connect(port)
        self._frames = [
            bytearray(produce_frame(topic, BATCH, partition)) for partition in range(partitions)
        ]
        self._batch_at = self._frames[0].index(BATCH)
        self._every_ns = int(NANOSECONDS_PER_SECOND / rate)
        self._due_ns = time.perf_counter_ns()
        self._sent = 0

    def send_if_due(self) -> None:
        now_ns = time.perf_counter_ns()
        while self._due_ns <= now_ns:
            self._due_ns += self._every_ns
            frame = self._frames[self._sent % len(self._frames)]
            self._sent += 1
            STAMP.pack_into(frame, self._batch_at + VALUE_AT, time.perf_counter_ns())
            set_checksum(frame, len(BATCH), self._batch_at)
            self.link.sendall(frame)

    def take(self) -> None:
        assert self.link.recv(RECEIVE_BYTES), "the broker closed the producer's connection"


class Load:
    """The consumers, and who produces for them."""

    def __init__(self, consumers: list[Consumer], trickle: Trickle) -> None:
        self._consumers = {one.link.fileno(): one for one in consumers}
        self._trickle = trickle
        self._epoll = select.epoll()
        for number in (*self._consumers, trickle.link.fileno()):
            self._epoll.register(number, select.EPOLLIN)
        for one in consumers:
            one.fetch()

    def run(self, seconds: float) -> tuple[int, list[int]]:
        """How many fetches were answered, and the delay of each record at each consumer."""
        delays_ns: list[int] = []
        fetches = 0
        until_s = time.perf_counter() + seconds
        while time.perf_counter() < until_s:
            self._trickle.send_if_due()
            for number, _ in self._epoll.poll(POLL_S):
                consumer = self._consumers.get(number)
                if consumer is None:
                    self._trickle.take()
                else:
                    fetches += consumer.take(delays_ns)
        return fetches, delays_ns

    def close(self) -> None:
        self._epoll.close()
        self._trickle.link.close()
        for one in self._consumers.values():
            one.link.close()


def topic_id(port: int, topic: str) -> bytes:
    wanted = [MetadataRequest.MetadataRequestTopic(name=topic)]
    with Connection(port) as connection:
        found = connection.ask(MetadataRequest(topics=wanted), MetadataResponse, 12)
    return found.topics[0].topic_id


def measured(load: Load, seconds: float) -> Tally:
    cpu_s = time.process_time()
    fetches, delays_ns = load.run(seconds)
    delays = tally(delays_ns, seconds, time.process_time() - cpu_s)
    return replace(delays, count=fetches)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("port", type=int)
    parser.add_argument("topic")
    parser.add_argument("--partitions", type=int, default=20)
    parser.add_argument("--consumers", type=int, default=50)
    parser.add_argument("--rate", type=float, default=40.0, help="records per second")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--intervals", type=int, default=1)
    options = parser.parse_args()
    known_as = topic_id(options.port, options.topic)
    consumers = [
        Consumer(options.port, known_as, options.partitions) for _ in range(options.consumers)
    ]
    load = Load(consumers, Trickle(options.port, options.topic, options.partitions, options.rate))
    print(json.dumps([asdict(measured(load, options.seconds)) for _ in range(options.intervals)]))
    load.close()


if __name__ == "__main__":
    main()
