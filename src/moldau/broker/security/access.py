"""What may be done, and to what: the operations and resources of Kafka's access rules.

The numbers are those of the protocol. Answers that list what a caller may do (Metadata,
DescribeCluster, the Describe calls of groups) set the bit of each operation's number.
"""

from __future__ import annotations

from enum import IntEnum

__all__ = ["OPERATIONS", "Operation", "Resource", "bits_of"]


class Operation(IntEnum):
    """Something that can be done to a resource."""

    ANY = 1
    ALL = 2
    READ = 3
    WRITE = 4
    CREATE = 5
    DELETE = 6
    ALTER = 7
    DESCRIBE = 8
    CLUSTER_ACTION = 9
    DESCRIBE_CONFIGS = 10
    ALTER_CONFIGS = 11
    IDEMPOTENT_WRITE = 12
    CREATE_TOKENS = 13
    DESCRIBE_TOKENS = 14
    TWO_PHASE_COMMIT = 15


class Resource(IntEnum):
    """A kind of thing that has a name and rules."""

    ANY = 1
    TOPIC = 2
    GROUP = 3
    CLUSTER = 4
    TRANSACTIONAL_ID = 5
    DELEGATION_TOKEN = 6
    USER = 7


CLUSTER_NAME = "kafka-cluster"
"""The one resource of kind CLUSTER."""

OPERATIONS: dict[Resource, tuple[Operation, ...]] = {
    Resource.TOPIC: (
        Operation.READ,
        Operation.WRITE,
        Operation.CREATE,
        Operation.DESCRIBE,
        Operation.DELETE,
        Operation.ALTER,
        Operation.DESCRIBE_CONFIGS,
        Operation.ALTER_CONFIGS,
    ),
    Resource.GROUP: (
        Operation.READ,
        Operation.DESCRIBE,
        Operation.DELETE,
        Operation.DESCRIBE_CONFIGS,
        Operation.ALTER_CONFIGS,
    ),
    Resource.CLUSTER: (
        Operation.CREATE,
        Operation.CLUSTER_ACTION,
        Operation.DESCRIBE_CONFIGS,
        Operation.ALTER_CONFIGS,
        Operation.IDEMPOTENT_WRITE,
        Operation.ALTER,
        Operation.DESCRIBE,
    ),
    Resource.TRANSACTIONAL_ID: (
        Operation.DESCRIBE,
        Operation.WRITE,
        Operation.TWO_PHASE_COMMIT,
    ),
    Resource.DELEGATION_TOKEN: (Operation.DESCRIBE,),
    Resource.USER: (Operation.CREATE_TOKENS, Operation.DESCRIBE_TOKENS),
}
"""What can be done to each kind, in Kafka's own listing."""


def bits_of(operations: tuple[Operation, ...]) -> int:
    """The int32 that stands for a set of operations in answers."""
    return sum(1 << operation for operation in operations)
