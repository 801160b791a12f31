"""An example of each command of ours, for its help and for the page of commands; a test runs them.

They name `localhost:9092`, topic `orders`, group `billing`, and files that stand at hand. Those of
Kafka's tools are in the table of `tools.kafka`.
"""

from __future__ import annotations

__all__ = ["EXAMPLES"]

SERVER = "--bootstrap-server localhost:9092"
BROKERS = "-b localhost:9092"

EXAMPLES = {
    "start": "--port 9092 --data ./moldau-data",
    "demo": "failover --seconds 3",
    "format": "--config server.properties --cluster-id MkU3OEVBNTcwNTJENDM2Qg --standalone",
    "server-start": "server.properties",
    "server-stop": "--node-id 1",
    "storage": "random-uuid",
    "random-uuid": "",
    "certs": "--node kafka-1,10.0.0.5 --client alice",
    "dump-log": "--files data/orders-0/00000000000000000000.log --print-data-log",
    "metadata-shell": "--snapshot data/__cluster_metadata-0/00000000000000000000.log ls /",
    "profile": "set here bootstrap.servers=localhost:9092",
    "link-tools": "./bin",
    "completion": "bash",
    "explain-access": f"{SERVER} --principal User:alice --operation read --topic orders",
    "roles": f"grant {SERVER} --principal User:bob --role DeveloperRead --topic orders",
    "schema": "register --registry http://localhost:8081 --subject orders-value --file order.avsc",
    "keys": "create orders --file node.keys",
    "lake": "compact ./lake/orders",
    "registry": f"{SERVER} --listen localhost:8081",
    "burrow": f"{SERVER} --listen localhost:8000",
    "probe": f"{SERVER} --listen localhost:8083",
    "rest": f"{SERVER} --listen localhost:8082",
    "console": f"{SERVER} --listen localhost:8080",
    "pipeline": "list",
    "cat": f"{BROKERS} -C -t orders -o beginning -e",
    "top": f"{BROKERS} --once",
    "lag": f"{BROKERS} --group billing",
    "doctor": BROKERS,
    "debug-bundle": f"{BROKERS} bundle.tar.gz",
    "export": f"{BROKERS} --topic orders orders.jsonl",
    "import": f"{BROKERS} --topic orders orders.jsonl",
    "plan": f"{BROKERS} wanted.yaml",
    "apply": f"{BROKERS} wanted.yaml --yes",
    "clone-group": f"{BROKERS} billing billing-copy",
    "bench": f"{BROKERS} --topic orders --records 1000",
}
"""What is typed behind the name of the command."""
