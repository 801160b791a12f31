"""Kafka's tools for operators, unmodified, administer a node of ours."""

from __future__ import annotations

import json

import pytest

from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.judge

ALICE = "--entity-type users --entity-name alice"


def written(folder, name, content) -> str:
    path = folder / name
    path.write_text(json.dumps({"version": 1, **content}))
    return str(path)


def test_a_topic_is_created_described_grown_and_deleted(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 2 --config segment.bytes=1048576")
    assert topic in tools.run("topics", "--list").split()
    described = tools.run("topics", f"--describe --topic {topic}")
    assert "PartitionCount: 2" in described
    assert "segment.bytes=1048576" in described
    tools.run("topics", f"--alter --topic {topic} --partitions 5")
    described = tools.run("topics", f"--describe --topic {topic}")
    assert described.count("Leader: 1\tReplicas: 1\tIsr: 1") == 5
    tools.run("topics", f"--delete --topic {topic}")
    assert topic not in tools.run("topics", "--list").split()


def test_replicas_are_where_the_tool_puts_them_and_none_is_behind(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --replica-assignment 1,1,1")
    for choice in ("under-replicated", "under-min-isr", "unavailable"):
        assert tools.run("topics", f"--describe --topic {topic} --{choice}-partitions") == ""
    assert tools.run("topics", f"--describe --topic {topic}").count("Replicas: 1") == 3


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ("--create --topic {topic}", "TopicExistsException"),
        ("--create --topic {topic}x --replication-factor 3", "InvalidReplicationFactorException"),
        ("--create --topic {topic}x --config retention.ms=a", "Invalid value a"),
        ("--alter --topic {topic} --partitions 1", "InvalidPartitionsException"),
        ("--delete --topic {topic}x", "does not exist"),
    ],
)
def test_what_cannot_be_done_to_topics_is_refused_by_its_name(
    tools: KafkaTools, topic, words, refusal
):
    tools.run("topics", f"--create --topic {topic} --partitions 2")
    assert refusal in tools.refusal("topics", words.format(topic=topic))


@pytest.mark.parametrize(
    ("entity", "config", "default"),
    [
        ("--topic {topic}", "max.message.bytes=2000000", True),
        ("--topic {topic}", "cleanup.policy=[compact,delete]", True),
        ("--broker 1", "log.cleaner.threads=2", True),
        ("--broker-defaults", "log.cleaner.io.buffer.size=600000", False),
        ("--group group-{topic}", "consumer.session.timeout.ms=50000", True),
        ("--client-metrics metrics-{topic}", "interval.ms=30000", False),
    ],
)
def test_settings_are_changed_shown_and_given_up(tools: KafkaTools, topic, entity, config, default):
    tools.run("topics", f"--create --topic {topic}")
    who = entity.format(topic=topic)
    key, _, value = config.partition("=")
    tools.run("configs", f"--alter {who} --add-config {config}")
    shown = tools.run("configs", f"--describe {who}")
    assert f"{key}={value.strip('[]')} sensitive=false" in shown
    assert ("DEFAULT_CONFIG:" in shown.replace("DEFAULT_BROKER_CONFIG", "")) == default
    tools.run("configs", f"--alter {who} --delete-config {key}")
    assert f"{key}=" not in tools.run("configs", f"--describe {who}")


def test_all_settings_of_a_broker_and_its_loggers_are_shown(tools: KafkaTools):
    shown = tools.run("configs", "--describe --broker 1 --all")
    assert "node.id=1 " in shown
    assert shown.count("sensitive=") > 200
    loggers = tools.run("configs", "--describe --entity-type broker-loggers --entity-name 1")
    assert "root=INFO" in loggers


@pytest.mark.parametrize(
    ("entity", "quota", "shown_as"),
    [
        ("--user alice --client app", "request_percentage=200", "request_percentage=200.0"),
        ("--client-defaults", "producer_byte_rate=100000000000", "producer_byte_rate=1.0E11"),
        ("--user-defaults", "consumer_byte_rate=100000000000", "consumer_byte_rate=1.0E11"),
        ("--ip 127.0.0.5", "connection_creation_rate=100", "connection_creation_rate=100.0"),
    ],
)
def test_quotas_are_set_shown_and_lifted(tools: KafkaTools, entity, quota, shown_as):
    tools.run("configs", f"--alter {entity} --add-config {quota}")
    assert shown_as in tools.run("configs", f"--describe {entity}")
    tools.run("configs", f"--alter {entity} --delete-config {quota.partition('=')[0]}")
    assert shown_as not in tools.run("configs", f"--describe {entity}")


def test_passwords_are_kept_as_scram_credentials(tools: KafkaTools):
    given = "SCRAM-SHA-256=[iterations=8192,password=secret]"
    tools.run("configs", f"--alter {ALICE} --add-config '{given}'")
    assert "SCRAM-SHA-256=iterations=8192" in tools.run("configs", f"--describe {ALICE}")
    tools.run("configs", f"--alter {ALICE} --delete-config SCRAM-SHA-256")
    assert "SCRAM" not in tools.run("configs", f"--describe {ALICE}")


def test_subscriptions_of_client_metrics_are_made_listed_and_deleted(tools: KafkaTools, topic):
    chosen = "--metrics org.apache.kafka. --interval 30000 --match client_id=app"
    tools.run("client-metrics", f"--alter --name {topic} {chosen}")
    assert topic in tools.run("client-metrics", "--list").split()
    described = tools.run("client-metrics", f"--describe --name {topic}")
    assert "match=client_id=app" in described
    tools.run("client-metrics", f"--delete --name {topic}")
    assert topic not in tools.run("client-metrics", "--list").split()


def test_records_are_deleted_up_to_an_offset(tools: KafkaTools, topic, tmp_path):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    tools.run("console-producer", f"--topic {topic}", typed="a\nb\nc\n")
    wanted = {"partitions": [{"topic": topic, "partition": 0, "offset": 2}]}
    path = written(tmp_path, "offsets.json", wanted)
    printed = tools.run("delete-records", f"--offset-json-file {path}")
    assert f"partition: {topic}-0\tlow_watermark: 2" in printed
    offsets = {
        time: tools.run("get-offsets", f"--topic {topic} --time {time}").strip()
        for time in ("earliest", "earliest-local", "latest", "-1")
    }
    assert offsets["earliest"] == offsets["earliest-local"] == f"{topic}:0:2"
    assert offsets["latest"] == offsets["-1"] == f"{topic}:0:3"


def test_partitions_are_reassigned_as_far_as_one_node_allows(tools: KafkaTools, topic, tmp_path):
    tools.run("topics", f"--create --topic {topic} --partitions 2")
    topics = written(tmp_path, "topics.json", {"topics": [{"topic": topic}]})
    plan = tools.run(
        "reassign-partitions", f"--generate --topics-to-move-json-file {topics} --broker-list 1"
    )
    wanted = json.loads(plan.splitlines()[-1])
    path = written(tmp_path, "plan.json", wanted)
    execute = f"--execute --reassignment-json-file {path}"
    assert "Successfully started" in tools.run("reassign-partitions", execute)
    verify = f"--verify --reassignment-json-file {path}"
    assert tools.run("reassign-partitions", verify).count("is completed") == 2
    assert "No partition reassignments found" in tools.run("reassign-partitions", "--list")


def test_an_election_that_is_not_needed_says_so(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic}")
    for kind in ("preferred", "unclean"):
        words = f"--election-type {kind} --topic {topic} --partition 0"
        assert "already elected" in tools.run("leader-election", words)


def test_log_directories_tell_every_partition_and_its_size(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 2")
    tools.run("get-offsets", f"--topic {topic}")  # which waits until the node has both
    printed = tools.run("log-dirs", f"--describe --topic-list {topic}")
    (directory,) = json.loads(printed.splitlines()[-1])["brokers"][0]["logDirs"]
    assert directory["error"] is None
    assert {one["partition"] for one in directory["partitions"]} == {f"{topic}-0", f"{topic}-1"}


def test_the_quorum_has_one_voter_who_leads(tools: KafkaTools):
    status = tools.run("metadata-quorum", "describe --status")
    assert "LeaderId:               1" in status
    assert "MaxFollowerLag:         0" in status
    replication = tools.run("metadata-quorum", "describe --replication --human-readable")
    assert replication.splitlines()[1].split()[-1] == "Leader"


def test_features_are_described_and_a_change_is_judged(tools: KafkaTools):
    described = tools.run("features", "describe")
    levels = {line.split()[1]: line.split()[7] for line in described.splitlines()}
    assert levels["metadata.version"] == "4.3-IV0"
    assert levels["transaction.version"] == "2"
    change = "downgrade --feature transaction.version=1 --dry-run"
    assert "can be downgraded to 1" in tools.run("features", change)
    tools.refusal("features", "upgrade --feature transaction.version=9")


def test_the_cluster_is_known_by_its_id_its_endpoints_and_its_versions(tools: KafkaTools):
    assert tools.run("cluster", "cluster-id").startswith("Cluster ID: ")
    assert "unfenced" in tools.run("cluster", "list-endpoints")
    assert "BrokerIdNotRegistered" in tools.refusal("cluster", "unregister --id 9")
    versions = tools.run("broker-api-versions", "")
    assert f"{tools.bootstrap} (id: 1 rack: null isFenced: false)" in versions
    assert "Produce(0): 0 to 13 [usable: 13]" in versions


def test_without_an_authorizer_nothing_is_shown_of_acls_and_tokens(tools: KafkaTools):
    assert "SecurityDisabledException" in tools.refusal("acls", "--list")
    refused = tools.refusal("delegation-tokens", "--describe --command-config /dev/null")
    assert "UnsupportedByAuthenticationException" in refused
