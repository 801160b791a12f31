"""The tools of Apache Kafka 4.3 that are here, by the names that its users know."""

from __future__ import annotations

from moldau.programs.tools.kafka.tool import KafkaTool

__all__ = ["KAFKA_TOOLS", "SCRIPTS_OF_COMMANDS"]


PACKAGE = "moldau.programs.tools.kafka"
SCRIPTS_OF_COMMANDS = ("dump-log", "metadata-shell", "server-start", "server-stop", "storage")
"""Commands of ours that are Kafka's tools too, with flags of their own making."""
SERVER = "--bootstrap-server localhost:9092"


def _tool(name: str, summary: str, example: str) -> KafkaTool:
    return KafkaTool(name, summary, f"{PACKAGE}.{name.replace('-', '_')}", example)


KAFKA_TOOLS = (
    _tool("topics", "create, list, describe, alter and delete topics", f"{SERVER} --describe"),
    _tool(
        "console-producer",
        "send each line that is typed as a record",
        f"{SERVER} --topic orders --reader-property parse.key=true",
    ),
    _tool(
        "console-consumer",
        "print the records of topics",
        f"{SERVER} --topic orders --from-beginning --timeout-ms 1000",
    ),
    _tool(
        "consumer-groups",
        "list, describe, reset and delete groups of consumers",
        f"{SERVER} --describe --all-groups",
    ),
    _tool("groups", "list groups of every kind", f"{SERVER} --list"),
    _tool("get-offsets", "print where partitions begin and end", f"{SERVER} --time earliest"),
    _tool(
        "console-share-consumer",
        "print the records of a topic, sharing them with a group record by record",
        f"{SERVER} --topic orders --timeout-ms 1000",
    ),
    _tool(
        "producer-perf-test",
        "measure how fast records are taken",
        f"{SERVER} --topic orders --num-records 100 --record-size 100 --throughput -1",
    ),
    _tool(
        "consumer-perf-test",
        "measure how fast records are read",
        f"{SERVER} --topic orders --num-records 10 --timeout 1000",
    ),
    _tool(
        "share-consumer-perf-test",
        "measure how fast share consumers process records",
        f"{SERVER} --topic orders --num-records 10 --timeout 1000",
    ),
    _tool(
        "e2e-latency",
        "measure how long records take from end to end",
        f"{SERVER} --topic latencies --num-records 10 --producer-acks all --record-size 100",
    ),
    _tool(
        "verifiable-producer",
        "send whole numbers, with an event for each as JSON",
        f"{SERVER} --topic orders --max-messages 3",
    ),
    _tool(
        "verifiable-consumer",
        "read in a group, with an event for each step as JSON",
        f"{SERVER} --topic orders --group-id checks --max-messages 0",
    ),
    _tool(
        "verifiable-share-consumer",
        "process records in a share group, with an event for each step as JSON",
        f"{SERVER} --topic orders --group-id checks --max-messages 0",
    ),
    _tool(
        "delete-records",
        "delete what is below offsets",
        f"{SERVER} --offset-json-file offsets.json",
    ),
    _tool(
        "replica-verification",
        "compare the replicas of partitions, batch by batch",
        "--broker-list localhost:9092 --topics-include orders --time -2",
    ),
    _tool(
        "jmx",
        "show attributes of the MBeans of a node, again and again",
        "--jmx-url http://localhost:9404/jolokia --one-time "
        "--object-name kafka.server:type=KafkaServer,name=BrokerState",
    ),
    _tool("log-dirs", "show the directories of brokers as JSON", f"{SERVER} --describe"),
    _tool(
        "leader-election",
        "let partitions be led by the replicas that should",
        f"{SERVER} --election-type preferred --all-topic-partitions",
    ),
    _tool("cluster", "show a cluster's id and nodes, and forget brokers", f"{SERVER} cluster-id"),
    _tool("broker-api-versions", "show which requests brokers understand", SERVER),
    _tool("client-metrics", "choose the metrics that clients send", f"{SERVER} --list"),
    _tool(
        "metadata-quorum",
        "show and change who keeps the metadata",
        f"{SERVER} describe --replication",
    ),
    _tool("features", "show and change the levels of features", f"{SERVER} describe"),
    _tool("transactions", "find transactions, and end those that hang", f"{SERVER} list"),
    _tool("configs", "show and change settings", f"{SERVER} --describe --entity-type brokers"),
    _tool("acls", "list, add and remove access rules", f"{SERVER} --list"),
    _tool("reassign-partitions", "move partitions to other brokers", f"{SERVER} --list"),
    _tool(
        "share-groups",
        "list, describe, reset and delete share groups",
        f"{SERVER} --describe --all-groups",
    ),
    _tool(
        "delegation-tokens",
        "create, renew, end and show tokens to log in with",
        f"{SERVER} --describe --command-config alice.properties",
    ),
    _tool(
        "streams-groups",
        "list, describe, reset and delete groups of Kafka Streams",
        f"{SERVER} --list --state",
    ),
    _tool(
        "streams-application-reset",
        "let an application of Kafka Streams begin anew",
        f"{SERVER} --application-id bills --dry-run",
    ),
)
