"""The settings of a node that was given none: one broker and controller, alone on this machine.

It is for development. They are those of the file that Apache Kafka ships for a first try:
replication factors of one, since there is one broker, and no wait for more members of a new group;
everything else is as it is by default.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["DATA_DIRECTORY", "DEVELOPMENT", "HOST", "PORT", "alone"]

DATA_DIRECTORY = "./moldau-data"
PORT = 9092
HOST = "127.0.0.1"
DEVELOPMENT: Mapping[str, str] = {
    "group.initial.rebalance.delay.ms": "0",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
}
"""What is not as it is by default."""


def alone(
    data_directory: str = DATA_DIRECTORY, port: int = PORT, host: str = HOST
) -> Mapping[str, str]:
    """The settings of a node that is a cluster by itself; the controller takes any free port."""
    return {
        "process.roles": "broker,controller",
        "node.id": "1",
        "controller.listener.names": "CONTROLLER",
        "listeners": f"PLAINTEXT://{host}:{port},CONTROLLER://{host}:0",
        "log.dirs": data_directory,
        **DEVELOPMENT,
    }
