"""Data directories with one damaged partition for each kind, made by a node of ours and our logs."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from moldau.log.directory.clean_shutdown import FILE_NAME as CLEAN_SHUTDOWN
from moldau.log.directory.names import TopicPartition
from moldau.log.directory.offset_checkpoint import (
    HIGH_WATERMARKS,
    RECOVERY_POINTS,
    OffsetCheckpoint,
)
from moldau.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.system.files import SystemFiles
from tests.damage.contents import END_OFFSET, HIGH_WATERMARK, RECOVERY_POINT, write_log
from tests.damage.kinds import KINDS
from tests.damage.probe import LATEST, offset_of
from tests.judges.kafka_calls import ask
from tests.judges.moldau_node import MoldauNode

TOPIC = "damaged"
CREATE_TOPICS_VERSION = 5
NAMES = list(KINDS)
"""A kind's place in it is the number of its partition."""


def whole_directory(folder: Path, *, clean: bool) -> Path:
    """One with whole partitions, left by a node that stopped in order or was killed."""
    node = MoldauNode(folder)
    node.start()
    topic = CreateTopicsRequest.CreatableTopic(
        name=TOPIC, num_partitions=len(NAMES), replication_factor=1, assignments=[], configs=[]
    )
    request = CreateTopicsRequest(topics=[topic], timeout_ms=30_000)
    answer = ask(node.client_port, request, CreateTopicsResponse, CREATE_TOPICS_VERSION)
    assert answer.topics[0].error_code == 0, answer
    for number in range(len(NAMES)):
        assert offset_of(node.client_port, TOPIC, number, LATEST) == (0, 0)
    node.stop()
    model = folder / "model"
    write_log(model, clean=clean)
    for number in range(len(NAMES)):
        _fill(node.data / f"{TOPIC}-{number}", model)
    _checkpoint(node.data, RECOVERY_POINTS, END_OFFSET if clean else RECOVERY_POINT)
    _checkpoint(node.data, HIGH_WATERMARKS, END_OFFSET if clean else HIGH_WATERMARK)
    if not clean:
        (node.data / CLEAN_SHUTDOWN).unlink()
    return node.data


def _fill(directory: Path, model: Path) -> None:
    for path in directory.iterdir():
        if path.name != "partition.metadata":
            path.unlink()
    for path in model.iterdir():
        shutil.copy(path, directory)


def _checkpoint(data: Path, name: str, offset: int) -> None:
    checkpoint = OffsetCheckpoint(SystemFiles(), f"{data}/{name}")
    mine = {TopicPartition(TOPIC, number): offset for number in range(len(NAMES))}
    checkpoint.write({**checkpoint.read(), **mine})


def damage(data: Path, names: Iterable[str]) -> None:
    """Do each of these kinds of damage to its partition."""
    for name in names:
        KINDS[name](data / f"{TOPIC}-{NAMES.index(name)}")
