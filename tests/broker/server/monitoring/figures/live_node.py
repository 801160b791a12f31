"""A node on a disk and a socket, some traffic, and what its `/metrics` says then."""

from __future__ import annotations

import asyncio
import re
from functools import cache

from moldau.platform.system.measured_loop import MeasuredLoop
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from moldau.protocol.records.builder import BatchBuilder
from moldau.testing import Node
from tests.broker.server.asking import answers_in, frame_of, sized

RECORDS = 10
COMMITTED = 3
GROUP_KIND, TRANSACTION_KIND = 0, 1
ATTEMPTS_MAX = 200
SAMPLE = re.compile(r"(\w+)(?:\{(.*)\})? (\S+)")


class Client:
    """Asks one node."""

    def __init__(self, reader, writer):
        self._reader, self._writer = reader, writer

    async def ask(self, request, version):
        self._writer.write(sized(frame_of(request, version)))
        size = await self._reader.readexactly(4)
        body = await self._reader.readexactly(int.from_bytes(size, "big"))
        ((_, response),) = answers_in(bytearray(size + body), request.KEY, version)
        return response

    async def ask_until(self, is_good, request, version):
        """Coordinators take a moment to come."""
        for _ in range(ATTEMPTS_MAX):
            response = await self.ask(request, version)
            if is_good(response):
                return response
            await asyncio.sleep(0.02)
        raise AssertionError(response)


def batch():
    builder = BatchBuilder()
    for number in range(RECORDS):
        builder.append(number, None, b"value")
    return bytes(builder.build())


def produce(topic):
    data = ProduceRequest.TopicProduceData
    partition = data.PartitionProduceData(index=0, records=batch())
    topics = [data(name=topic, partition_data=[partition])]
    return ProduceRequest(acks=-1, timeout_ms=1000, topic_data=topics)


def fetch(topic):
    partition = FetchRequest.FetchTopic.FetchPartition(
        partition=0, fetch_offset=0, partition_max_bytes=1 << 20
    )
    topics = [FetchRequest.FetchTopic(topic=topic, partitions=[partition])]
    return FetchRequest(max_wait_ms=0, min_bytes=1, topics=topics, session_epoch=0)


def commit(topic):
    asked = OffsetCommitRequest.OffsetCommitRequestTopic
    partition = asked.OffsetCommitRequestPartition(
        partition_index=0, committed_offset=COMMITTED, committed_metadata=""
    )
    topics = [asked(name=topic, partitions=[partition])]
    return OffsetCommitRequest(group_id="readers", topics=topics)


async def make_traffic(client):
    topic = CreateTopicsRequest.CreatableTopic(
        name="t", num_partitions=1, replication_factor=1, assignments=[], configs=[]
    )
    await client.ask(CreateTopicsRequest(topics=[topic], timeout_ms=1000), 7)
    answer = await client.ask_until(
        lambda one: not one.responses[0].partition_responses[0].error_code, produce("t"), 9
    )
    assert answer.responses[0].partition_responses[0].base_offset == 0
    await client.ask(produce("absent"), 9)
    await client.ask(fetch("t"), 12)
    for kind, key in ((GROUP_KIND, "readers"), (TRANSACTION_KIND, "writer")):
        find = FindCoordinatorRequest(key_type=kind, coordinator_keys=[key])
        await client.ask_until(lambda one: not one.coordinators[0].error_code, find, 4)
    committed = await client.ask_until(
        lambda one: not one.topics[0].partitions[0].error_code, commit("t"), 8
    )
    assert committed.topics[0].name == "t"
    begin = InitProducerIdRequest(transactional_id="writer", transaction_timeout_ms=1000)
    await client.ask_until(lambda one: not one.error_code, begin, 4)


async def read_page(address):
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(b"GET /metrics HTTP/1.1\r\n\r\n")
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    assert head.startswith(b"HTTP/1.1 200")
    return body.decode()


async def _play():
    async with Node(metrics_port=0) as node:
        host, _, port = node.bootstrap.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        await make_traffic(Client(reader, writer))
        await node.node.broker.replicas.settled()
        page = await read_page(node.node.metrics_address)
        writer.close()
        return page


@cache
def page():
    """The text, once for all who look at it in this process."""
    with asyncio.Runner(loop_factory=MeasuredLoop) as runner:
        return runner.run(_play())


@cache
def scraped():
    """Every sample: name and labels, and the number."""
    samples = {}
    for line in page().splitlines():
        if not line.startswith("#"):
            sample = SAMPLE.fullmatch(line)
            assert sample is not None, line
            name, labels, number = sample.groups()
            samples[name, labels or ""] = float(number)
    return samples


def value(name, labels=""):
    return scraped()[name, labels]
