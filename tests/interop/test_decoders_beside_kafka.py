"""Topics that a cluster keeps for itself, shown by Kafka's dump-log and by ours, decoded alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from moldau.client import Producer
from moldau.client.admin import Admin, NewTopic, entity_of
from tests.interop.running_node import running_node
from tests.interop.test_dump_log_beside_kafka import dumped_by_kafka, dumped_by_us

pytestmark = pytest.mark.judge

SMALL = {"share_coordinator_state_topic_num_partitions": "1"}
GUARD = {
    "authorizer_class_name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super_users": "User:ANONYMOUS",
}
TOPICS = {
    "cluster-metadata": "__cluster_metadata-*",
    "offsets": "__consumer_offsets-*",
    "transaction-log": "__transaction_state-*",
    "share-group-state": "__share_group_state-*",
}
FLAGS: tuple[list[str], ...] = ([], ["--skip-record-metadata"])


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """What a node leaves that had a group, a transaction, a share group, a rule and a quota."""
    folder: Path = tmp_path_factory.mktemp("lived")
    with running_node(folder, **SMALL, **GUARD) as place:
        live(place)
    return folder / "data"


def live(place: str) -> None:
    with Admin(place) as admin:
        admin.create_topics([NewTopic("orders", partitions=2, replication_factor=1)]).all()
        admin.incremental_alter_configs({("topic", "orders"): {"retention.ms": "77"}}).all()
        admin.alter_client_quotas({entity_of({"user": "alice"}): {"request_percentage": 1.5}}).all()
        with Producer(place, transactional_id="billing") as producer, producer.transaction():
            producer.send("orders", b"one")
        admin.alter_consumer_group_offsets("readers", {("orders", 0): 1}).all()
        admin.alter_share_group_offsets("sharers", {("orders", 1): 0}).all()
        admin.delete_consumer_group_offsets("readers", [("orders", 0)]).all()


@pytest.mark.parametrize("flags", FLAGS, ids=["whole", "without metadata"])
@pytest.mark.parametrize("decoder", TOPICS)
def test_every_decoder_shows_what_kafkas_shows(kafka_libs, data, decoder, flags):
    found = sorted(path for path in data.glob(f"{TOPICS[decoder]}/*") if path.stat().st_size)
    paths = ",".join(str(path) for path in found if path.suffix in (".log", ".checkpoint"))
    arguments = [f"--{decoder}-decoder", *flags, "--files", paths]
    theirs, _ = dumped_by_kafka(kafka_libs, arguments)
    assert "payload" in theirs
    assert dumped_by_us(arguments)[0] == theirs
