"""The controller knows which replica lies in which directory."""

from moldau.broker.metadata.topics import LOST_DIRECTORY, NO_LEADER, UNASSIGNED_DIRECTORY
from moldau.protocol.messages.broker.assign_replicas_to_dirs import AssignReplicasToDirsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, directory, names


def assignment(cluster, broker_id, where, *places):
    asked = AssignReplicasToDirsRequest.DirectoryData
    topics = [
        asked.TopicData(
            topic_id=topic_id, partitions=[asked.TopicData.PartitionData(partition_index=index)]
        )
        for topic_id, index in places
    ]
    return AssignReplicasToDirsRequest(
        broker_id=broker_id,
        broker_epoch=cluster.image.cluster.brokers[broker_id].epoch,
        directories=[asked(id=where, topics=topics)],
    )


def two_directories():
    cluster = Conversation()
    cluster.join(1, directories=2)
    cluster.join(2)
    return cluster, cluster.create("t", (1, 2))


def test_a_broker_of_several_directories_reports_where_a_replica_lies():
    cluster, topic_id = two_directories()
    assert cluster.partition("t").directories == (UNASSIGNED_DIRECTORY, directory(2))
    records, _ = cluster.ask(assignment(cluster, 1, directory(1, 1), (topic_id, 0)))
    assert names(records) == ["PartitionChange"]
    assert cluster.partition("t").directories == (directory(1, 1), directory(2))
    assert cluster.ask(assignment(cluster, 1, directory(1, 1), (topic_id, 0)))[0] == []


def test_a_replica_in_a_lost_directory_leads_no_more():
    cluster, topic_id = two_directories()
    cluster.ask(assignment(cluster, 1, LOST_DIRECTORY, (topic_id, 0)))
    assert (cluster.partition("t").leader, cluster.partition("t").isr) == (2, (2,))


def test_what_is_in_a_directory_that_fails_moves():
    cluster, topic_id = two_directories()
    cluster.ask(assignment(cluster, 1, directory(1, 1), (topic_id, 0)))
    cluster.create("safe", (1, 2))
    records, _ = cluster.beat(1, offline_log_dirs=[directory(1, 1)])
    assert names(records) == ["PartitionChange", "BrokerRegistrationChange"]
    assert (cluster.partition("t").leader, cluster.partition("safe").leader) == (2, 1)


def test_each_replica_is_answered_by_itself():
    cluster, topic_id = two_directories()
    other = cluster.create("other", (2,))
    places = ((bytes(16), 0), (topic_id, 7), (other, 0), (topic_id, 0))
    _, reply = cluster.ask(assignment(cluster, 1, directory(1), *places))
    codes = [topic.partitions[0].error_code for topic in reply.directories[0].topics]
    assert codes == [
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.NONE,
    ]


def test_a_replica_that_could_not_lead_from_a_lost_directory_leads_once_it_is_found():
    cluster = Conversation()
    cluster.join(1, directories=2)
    topic_id = cluster.create("t", (1,))
    cluster.ask(assignment(cluster, 1, LOST_DIRECTORY, (topic_id, 0)))
    assert cluster.partition("t").leader == NO_LEADER
    cluster.ask(assignment(cluster, 1, directory(1), (topic_id, 0)))
    assert cluster.partition("t").leader == 1
