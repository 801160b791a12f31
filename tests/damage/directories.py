"""Data directories with one damaged partition for each kind, made by a node and logs of ours."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from moldau.broker.log.directory.clean_shutdown import FILE_NAME as CLEAN_SHUTDOWN
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.directory.offset_checkpoint import (
    HIGH_WATERMARKS,
    RECOVERY_POINTS,
    OffsetCheckpoint,
)
from moldau.platform.system.files import SystemFiles
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from tests.damage.contents import END_OFFSET, HIGH_WATERMARK, RECOVERY_POINT, write_log
from tests.damage.kinds import KINDS
from tests.damage.probe import LATEST, offset_of
from tests.judges.kafka_calls import ask
from tests.judges.moldau_node import MoldauNode

TOPIC = "damaged"
CREATE_TOPICS_VERSION = 5


def damaged_directory(folder: Path, names: Sequence[str], *, clean: bool) -> Path:
    """Left by a node that stopped in order or was killed; partition by partition, these kinds."""
    node = MoldauNode(folder)
    node.start()
    _create(node, len(names))
    node.stop()
    model = folder / "model"
    write_log(model, clean=clean)
    for number, name in enumerate(names):
        directory = node.data / f"{TOPIC}-{number}"
        _fill(directory, model)
        KINDS[name](directory)
    partitions = [TopicPartition(TOPIC, number) for number in range(len(names))]
    _checkpoint(node.data, RECOVERY_POINTS, partitions, END_OFFSET if clean else RECOVERY_POINT)
    _checkpoint(node.data, HIGH_WATERMARKS, partitions, END_OFFSET if clean else HIGH_WATERMARK)
    if not clean:
        (node.data / CLEAN_SHUTDOWN).unlink()
    return node.data


def _create(node: MoldauNode, partitions: int) -> None:
    topic = CreateTopicsRequest.CreatableTopic(
        name=TOPIC, num_partitions=partitions, replication_factor=1, assignments=[], configs=[]
    )
    request = CreateTopicsRequest(topics=[topic], timeout_ms=30_000)
    answer = ask(node.client_port, request, CreateTopicsResponse, CREATE_TOPICS_VERSION)
    assert answer.topics[0].error_code == 0, answer
    for number in range(partitions):
        assert offset_of(node.client_port, TOPIC, number, LATEST) == (0, 0)


def _fill(directory: Path, model: Path) -> None:
    for path in directory.iterdir():
        if path.name != "partition.metadata":
            path.unlink()
    for path in model.iterdir():
        shutil.copy(path, directory)


def _checkpoint(data: Path, name: str, partitions: Sequence[TopicPartition], offset: int) -> None:
    checkpoint = OffsetCheckpoint(SystemFiles(), f"{data}/{name}")
    checkpoint.write({**checkpoint.read(), **dict.fromkeys(partitions, offset)})
