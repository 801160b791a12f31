"""A large log, written fast: the same requests over and over, each with a batch for all partitions.

python -m bench.versus.generators.bulk PORT TOPIC --partitions 6 --megabytes 1500
"""

from __future__ import annotations

import argparse
import json
import random
import time

from bench.versus.asking import AskingError, Connection, frame
from bench.versus.generators.questions import PRODUCE_VERSION, TIMEOUT_MS, TIMESTAMP_MS
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.records.builder import BatchBuilder
from moldau.protocol.wire.error_codes import ErrorCode

RECORD_BYTES = 1_000
RECORDS_PER_BATCH = 250
SEED = 1
LATE = {
    ErrorCode.NOT_ENOUGH_REPLICAS,
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    ErrorCode.REQUEST_TIMED_OUT,
}
"""A follower is out of sync, for it has not fetched in time; or a batch waited for it in vain."""
LATE_MAX_S = 60.0
PAUSE_S = 0.1
MEGABYTE = 1_000_000


def batch() -> bytes:
    """Records that no codec could make smaller."""
    builder, draw = BatchBuilder(), random.Random(SEED)
    for _ in range(RECORDS_PER_BATCH):
        builder.append(TIMESTAMP_MS, None, draw.randbytes(RECORD_BYTES))
    return bytes(builder.build())


def request(topic: str, partitions: int, acks: int = 1) -> ProduceRequest:
    records = batch()
    entries = [
        ProduceRequest.TopicProduceData.PartitionProduceData(index=index, records=records)
        for index in range(partitions)
    ]
    data = ProduceRequest.TopicProduceData(name=topic, partition_data=entries)
    return ProduceRequest(acks=acks, timeout_ms=TIMEOUT_MS, topic_data=[data])


def write(
    connection: Connection, topic: str, partitions: int, megabytes: float, acks: int = 1
) -> int:
    """At least so much; the bytes that were written."""
    asked = request(topic, partitions, acks)
    size = len(frame(asked, PRODUCE_VERSION))
    count = -int(-megabytes * MEGABYTE // size)
    for _ in range(count):
        write_once(connection, asked)
    return count * size


def write_once(connection: Connection, asked: ProduceRequest) -> None:
    """Every partition gets its batch, sent again while a replica is late on a busy machine."""
    until_s = time.monotonic() + LATE_MAX_S
    while refused := refusals(connection.ask(asked, ProduceResponse, PRODUCE_VERSION)):
        if time.monotonic() > until_s or not set(refused.values()) <= LATE:
            codes = ", ".join(f"{index}: {code.name}" for index, code in refused.items())
            raise AskingError(f"Batches were refused, by partition: {codes}.")
        (data,) = asked.topic_data
        left = [one for one in data.partition_data if one.index in refused]
        again = ProduceRequest.TopicProduceData(name=data.name, partition_data=left)
        asked = ProduceRequest(acks=asked.acks, timeout_ms=asked.timeout_ms, topic_data=[again])
        time.sleep(PAUSE_S)


def refusals(response: ProduceResponse) -> dict[int, ErrorCode]:
    """The error of each partition that has one."""
    answers = response.responses[0].partition_responses
    return {one.index: ErrorCode.read(one.error_code) for one in answers if one.error_code}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("port", type=int)
    parser.add_argument("topic")
    parser.add_argument("--partitions", type=int, default=6)
    parser.add_argument("--megabytes", type=float, default=1_500.0)
    parser.add_argument("--acks", type=int, default=1)
    options = parser.parse_args()
    began_s = time.perf_counter()
    with Connection(options.port) as connection:
        written = write(
            connection, options.topic, options.partitions, options.megabytes, options.acks
        )
    print(json.dumps({"bytes": written, "seconds": time.perf_counter() - began_s}))


if __name__ == "__main__":
    main()
