"""A partition of which something on the disk contradicts itself is refused alone."""

from __future__ import annotations

import pytest

from moldau.platform.ports.files import replace_whole
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.node.simulated_node import run

TOPICS = ("bad", "good")
SETTINGS = {"num_partitions": 1}


async def make_topics(machine):
    node = machine.node(**SETTINGS)
    await node.start()
    named = [MetadataRequest.MetadataRequestTopic(name=topic) for topic in TOPICS]
    request = MetadataRequest(topics=named, allow_auto_topic_creation=True)
    await machine.ask(await machine.connect(node), request, 12)
    await machine.tasks.sleep(100)
    await node.stop()


async def codes_of(machine):
    """What a node that starts now answers for each topic."""
    node = machine.node(**SETTINGS)
    await node.start()
    await machine.tasks.sleep(1000)
    wanted = ListOffsetsRequest.ListOffsetsTopic
    partition = wanted.ListOffsetsPartition
    request = ListOffsetsRequest(
        replica_id=-1,
        topics=[
            wanted(name=topic, partitions=[partition(partition_index=0, timestamp=-1)])
            for topic in TOPICS
        ],
    )
    answer = await machine.ask(await machine.connect(node), request, 7)
    await node.stop()
    return {topic.name: topic.partitions[0].error_code for topic in answer.topics}


def make_directory(path):
    def damage(files):
        files.remove(path)
        files.make_directory(path)

    return damage


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (
            lambda files: replace_whole(files, "data/bad-0/partition.metadata", b"version: 0"),
            "data/bad-0/partition.metadata: it has not the two lines",
        ),
        (make_directory("data/bad-0/partition.metadata"), "data/bad-0/partition.metadata: it is a"),
        (
            make_directory("data/bad-0/00000000000000000000.log"),
            "data/bad-0/00000000000000000000.log: it is a directory where a file of the log is",
        ),
        (make_directory("data/bad-0/00000000000000000000.index"), "00.index: it is a directory"),
    ],
)
def test_other_topics_are_served_and_one_line_names_the_file(damage, reason, caplog):
    async def main(machine):
        await make_topics(machine)
        damage(machine.files)
        return await codes_of(machine)

    assert run(main) == {"bad": ErrorCode.KAFKA_STORAGE_ERROR, "good": ErrorCode.NONE}
    lines = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(lines) == 1
    assert lines[0].startswith("bad-0 is offline: data/bad-0/")
    assert reason in lines[0]
