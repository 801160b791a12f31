"""librdkafka's admin client asks and changes what it can."""

from __future__ import annotations

import pytest

confluent_kafka = pytest.importorskip("confluent_kafka", reason="confluent-kafka is not installed")

from confluent_kafka import TopicPartition, admin  # noqa: E402

pytestmark = pytest.mark.judge

SECONDS_MAX = 30


@pytest.fixture
def client(place):
    return admin.AdminClient({"bootstrap.servers": place})


@pytest.fixture
def topic(client, place, topic):
    """One partition of ten messages, and a group of the topic's name that has read them."""
    client.create_topics([admin.NewTopic(topic, 1, 1)])[topic].result(SECONDS_MAX)
    producer = confluent_kafka.Producer({"bootstrap.servers": place})
    for number in range(10):
        producer.produce(topic, b"value", timestamp=1000 + number)
    assert producer.flush(SECONDS_MAX) == 0
    settings = {"bootstrap.servers": place, "group.id": topic, "auto.offset.reset": "earliest"}
    reader = confluent_kafka.Consumer(settings)
    reader.subscribe([topic])
    assert len(reader.consume(10, SECONDS_MAX)) == 10
    reader.commit(asynchronous=False)
    reader.close()
    return topic


def test_groups_are_listed_and_described(client, topic):
    listed = client.list_consumer_groups().result(SECONDS_MAX)
    assert topic in [one.group_id for one in listed.valid]
    described = client.describe_consumer_groups([topic])[topic].result(SECONDS_MAX)
    assert described.state == confluent_kafka.ConsumerGroupState.EMPTY


def test_offsets_of_a_group_are_changed_and_the_group_deleted(client, topic):
    asked = confluent_kafka.ConsumerGroupTopicPartitions(topic, [TopicPartition(topic, 0, 4)])
    client.alter_consumer_group_offsets([asked])[topic].result(SECONDS_MAX)
    group = confluent_kafka.ConsumerGroupTopicPartitions(topic)
    offsets = client.list_consumer_group_offsets([group])[topic].result(SECONDS_MAX)
    assert [one.offset for one in offsets.topic_partitions] == [4]
    client.delete_consumer_groups([topic])[topic].result(SECONDS_MAX)
    listed = client.list_consumer_groups().result(SECONDS_MAX)
    assert topic not in [one.group_id for one in listed.valid]


@pytest.mark.parametrize(
    ("spec", "offset"),
    [
        (admin.OffsetSpec.earliest, 0),
        (admin.OffsetSpec.latest, 10),
        (admin.OffsetSpec.max_timestamp, 9),
        (lambda: admin.OffsetSpec.for_timestamp(1004), 4),
    ],
)
def test_offsets_are_found(client, topic, spec, offset):
    place = TopicPartition(topic, 0)
    (found,) = client.list_offsets({place: spec()}).values()
    assert found.result(SECONDS_MAX).offset == offset


def test_records_are_deleted(client, topic):
    (deleted,) = client.delete_records([TopicPartition(topic, 0, 6)]).values()
    assert deleted.result(SECONDS_MAX).low_watermark == 6


def test_the_cluster_and_its_topics_are_described(client, topic):
    cluster = client.describe_cluster().result(SECONDS_MAX)
    assert [node.id for node in cluster.nodes] == [1]
    asked = confluent_kafka.TopicCollection([topic])
    described = client.describe_topics(asked)[topic].result(SECONDS_MAX)
    assert [one.leader.id for one in described.partitions] == [1]


def test_settings_are_changed_one_at_a_time(client, topic):
    entry = admin.ConfigEntry(
        "retention.ms", "5000", incremental_operation=admin.AlterConfigOpType.SET
    )
    resource = admin.ConfigResource(
        admin.ConfigResource.Type.TOPIC, topic, incremental_configs=[entry]
    )
    client.incremental_alter_configs([resource])[resource].result(SECONDS_MAX)
    configs = client.describe_configs([resource])[resource].result(SECONDS_MAX)
    assert configs["retention.ms"].value == "5000"


def test_credentials_are_kept_and_an_election_is_not_needed(client, topic):
    info = admin.ScramCredentialInfo(admin.ScramMechanism.SCRAM_SHA_512, 8192)
    given = admin.UserScramCredentialUpsertion(topic, info, b"secret", b"salt" * 4)
    client.alter_user_scram_credentials([given])[topic].result(SECONDS_MAX)
    described = client.describe_user_scram_credentials([topic])[topic].result(SECONDS_MAX)
    assert [one.iterations for one in described.scram_credential_infos] == [8192]
    elections = client.elect_leaders(
        confluent_kafka.ElectionType.PREFERRED, [TopicPartition(topic, 0)]
    )
    (error,) = elections.result(SECONDS_MAX).values()
    assert error.code() == confluent_kafka.KafkaError.ELECTION_NOT_NEEDED
