"""Many connections, each with one small request on its way: a process of its own.

Frames are made before the clock starts. In the loop an answer is not decoded: its size must be the
size that was received, its correlation id the one that was sent, and then the next correlation id
is written into the same frame. Of every thousandth answer, and of each connection's last, the error
code is read afterwards; requests that were refused are reported.

    python -m bench.versus.generators.one_at_a_time PORT QUESTION TOPIC --connections 10

QUESTION is one of `questions.QUESTIONS`. What is printed is a list with a tally for each interval
of `--seconds`, so that a caller may see how a broker warms up. With `--unread` answers are not
decoded at all, which is for a server that only echoes.
"""

from __future__ import annotations

import argparse
import json
import select
import socket
import time
from dataclasses import asdict
from struct import Struct

from bench.versus.asking import HOST
from bench.versus.generators.questions import QUESTIONS, Question
from bench.versus.generators.tally import NANOSECONDS_PER_SECOND, Tally, tally

CORRELATION_AT = 8
"""Behind size, API key and version."""
ANSWER_BYTES_MAX = 64 * 1024
SAMPLE_EVERY = 1_000
POLL_S = 1.0
LAST_ANSWER_S = 30.0
"""How long the answers that are on their way at the end are waited for."""
ID = Struct(">i")
SIZE_AND_ID = Struct(">ii")


class Line:
    """A connection, and the frame that is sent on it again and again."""

    __slots__ = ("frame", "link", "sent_id", "sent_ns")

    def __init__(self, port: int, frame: bytes) -> None:
        self.link = socket.create_connection((HOST, port))
        self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.frame = bytearray(frame)
        self.sent_id = self.sent_ns = 0

    def ask(self, correlation_id: int) -> None:
        ID.pack_into(self.frame, CORRELATION_AT, correlation_id)
        self.sent_id, self.sent_ns = correlation_id, time.perf_counter_ns()
        self.link.sendall(self.frame)

    def complete(self, buffer: bytearray, count: int) -> None:
        """Take the rest of an answer that came in pieces; it must be the one to our request."""
        while count < SIZE_AND_ID.size or count < ID.unpack_from(buffer)[0] + ID.size:
            more = self.link.recv_into(memoryview(buffer)[count:])
            assert more, "the broker closed a connection"
            count += more
        size, correlation_id = SIZE_AND_ID.unpack_from(buffer)
        assert size == count - ID.size, f"{count} bytes came for an answer of {size}"
        assert correlation_id == self.sent_id, "an answer to another request"


class Load:
    """All connections of one generator."""

    def __init__(self, port: int, question: Question, topic: str, connections: int) -> None:
        lines = [Line(port, question.frame(topic, number)) for number in range(connections)]
        self._lines = {line.link.fileno(): line for line in lines}
        self._epoll = select.epoll()
        for number in self._lines:
            self._epoll.register(number, select.EPOLLIN)
        self._last_id = 0
        self.sample: list[bytes] = []
        """Answers without their sizes, to be judged by the caller."""

    def close(self) -> None:
        self._epoll.close()
        for line in self._lines.values():
            line.link.close()

    def run(self, seconds: float) -> tuple[list[int], float]:
        """Nanoseconds from each request to its answer, and the seconds that all of it took."""
        started_ns = time.perf_counter_ns()
        times_ns = self._drive(started_ns + int(seconds * NANOSECONDS_PER_SECOND))
        took_s = (time.perf_counter_ns() - started_ns) / NANOSECONDS_PER_SECOND
        for line in self._lines.values():
            self._take_last(line)
        return times_ns, took_s

    def _drive(self, until_ns: int) -> list[int]:
        """Ask on every connection, and again whenever it is answered."""
        now_ns, read, write = time.perf_counter_ns, SIZE_AND_ID.unpack_from, ID.pack_into
        lines, poll, buffer = self._lines, self._epoll.poll, bytearray(ANSWER_BYTES_MAX)
        times_ns: list[int] = []
        last_id = self._last_id
        for line in lines.values():
            line.ask(last_id := last_id + 1)
        # hot: 9 us for a request and its answer, system calls included
        while now_ns() < until_ns:
            for number, _ in poll(POLL_S):
                line = lines[number]
                count = line.link.recv_into(buffer)
                if count < 8 or read(buffer) != (count - 4, line.sent_id):
                    line.complete(buffer, count)
                at_ns = now_ns()
                times_ns.append(at_ns - line.sent_ns)
                last_id += 1
                if not last_id % SAMPLE_EVERY:
                    self._keep(buffer)
                frame = line.frame
                write(frame, CORRELATION_AT, last_id)
                line.sent_id, line.sent_ns = last_id, at_ns
                line.link.send(frame)
        self._last_id = last_id
        return times_ns

    def _take_last(self, line: Line) -> None:
        """The answer that was on its way when the time was over: not counted, but judged."""
        buffer = bytearray(ANSWER_BYTES_MAX)
        line.link.settimeout(LAST_ANSWER_S)
        line.complete(buffer, 0)
        line.link.settimeout(None)
        self._keep(buffer)

    def _keep(self, buffer: bytearray) -> None:
        self.sample.append(bytes(buffer[ID.size : ID.unpack_from(buffer)[0] + ID.size]))


def measured(load: Load, seconds: float) -> Tally:
    cpu_s = time.process_time()
    times_ns, took_s = load.run(seconds)
    return tally(times_ns, took_s, time.process_time() - cpu_s)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("port", type=int)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("topic")
    parser.add_argument("--connections", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--intervals", type=int, default=1)
    parser.add_argument("--unread", action="store_true")
    options = parser.parse_args()
    question = QUESTIONS[options.question]
    load = Load(options.port, question, options.topic, options.connections)
    tallies = [asdict(measured(load, options.seconds)) for _ in range(options.intervals)]
    load.close()
    refused = 0 if options.unread else sum(map(bool, map(question.error_code, load.sample)))
    assert not refused, f"{refused} of {len(load.sample)} sampled requests were refused"
    print(json.dumps(tallies))


if __name__ == "__main__":
    main()
