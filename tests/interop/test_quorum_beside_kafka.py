"""Judge: a metadata directory goes from Apache Kafka to us and back, and loses nothing on the way.

Kafka formats, starts, makes a topic and stops. Our quorum leads the next epoch on the same
directory, writes a config and a snapshot and stops. Kafka starts again and must know both.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from moldau.broker.controller.decision import Call, Decision
from moldau.broker.log.directory.meta_properties import read_meta_properties
from moldau.broker.log.world import World
from moldau.broker.metadata.image import Image
from moldau.broker.runtime.quorum.membership import Identity, configured_voters
from moldau.broker.runtime.quorum.parts import QuorumLoopSettings, QuorumParts
from moldau.broker.runtime.quorum.snapshotting import SnapshotSettings
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.tasks import SystemTasks, run
from moldau.protocol.messages.config.incremental_alter_configs import (
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord
from moldau.protocol.wire.schema import Message
from tests.broker.runtime.quorum_world import TopicController

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]

TOPICS = "org.apache.kafka.tools.TopicCommand"
CONFIGS = "kafka.admin.ConfigCommand"
QUORUM = "org.apache.kafka.tools.MetadataQuorumCommand"
DUMP = "org.apache.kafka.tools.DumpLogSegments"


class ConfigController(TopicController):
    """Writes the config that the test wants."""

    def decide(self, request: Message, call: Call, now_ms: int, wall_ms: int) -> Decision:
        record = ConfigRecord(
            resource_type=2, resource_name="orders", name="retention.ms", value="54321"
        )
        reply = IncrementalAlterConfigsResponse(throttle_time_ms=0, responses=[])
        return Decision([record], reply)


def lead_for_a_while(data: Path) -> Image:
    """Our quorum on that directory: one config, one snapshot; the image in the end."""

    async def main(tasks: SystemTasks) -> Any:
        files = SystemFiles()
        properties = read_meta_properties(files, str(data))
        assert properties is not None
        identity = Identity(1, properties.directory_id or b"", properties.cluster_id or "")
        quorum = MetadataQuorum(
            QuorumParts(
                identity=identity,
                log_directory=str(data),
                world=World(files, SystemClock(), Random(1)),
                tasks=tasks,
                settings=QuorumLoopSettings(snapshots=SnapshotSettings(bytes_between=1)),
                voters=configured_voters(["1@127.0.0.1:9"]),
                make_controller=ConfigController,
            )
        )
        await quorum.start()
        request = IncrementalAlterConfigsRequest(resources=[], validate_only=False)
        await quorum.ask(request, Call(version=0))
        await tasks.sleep(1500)
        await quorum.stop()
        return quorum.image

    image = run(main)
    assert isinstance(image, Image)
    return image


@pytest.fixture(scope="module")
def there_and_back(new_kafka_node):
    kafka = new_kafka_node()
    kafka.start()
    server = ("--bootstrap-server", kafka.bootstrap)
    kafka.run(TOPICS, *server, "--create", "--topic", "orders", "--partitions", "2")
    kafka.stop()
    image = lead_for_a_while(kafka.data)
    kafka.start()
    yield kafka, image
    kafka.stop()


def test_we_know_what_kafka_wrote(there_and_back):
    _, image = there_and_back
    assert set(image.topics.by_name["orders"].partitions) == {0, 1}
    assert image.features.metadata_version == 30
    assert set(image.cluster.brokers) == {1}
    assert image.configs.of(2, "orders") == {"retention.ms": "54321"}


def test_kafka_knows_what_we_wrote(there_and_back):
    kafka, _ = there_and_back
    named = ("--entity-type", "topics", "--entity-name", "orders")
    described = kafka.run(CONFIGS, "--bootstrap-server", kafka.bootstrap, "--describe", *named)
    assert "retention.ms=54321" in described


def test_kafka_leads_the_epoch_after_ours(there_and_back):
    kafka, image = there_and_back
    server = ("--bootstrap-server", kafka.bootstrap)
    status = kafka.run(QUORUM, *server, "describe", "--status")
    (epoch,) = [line.split()[-1] for line in status.splitlines() if "LeaderEpoch" in line]
    assert int(epoch) == image.epoch + 1 == 3


def test_kafkas_tool_reads_our_log_and_our_snapshot(there_and_back):
    kafka, _ = there_and_back
    folder = kafka.data / "__cluster_metadata-0"
    snapshots = sorted(folder.glob("*.checkpoint"))
    assert snapshots
    for file in (snapshots[-1], folder / "00000000000000000000.log"):
        printed = kafka.run(DUMP, "--cluster-metadata-decoder", "--files", file)
        assert '"retention.ms"' in printed
        assert "isvalid: false" not in printed
