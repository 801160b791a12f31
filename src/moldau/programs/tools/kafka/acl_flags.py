"""Flags of `moldau acls`: which belong together, and what may be allowed on which resource."""

from __future__ import annotations

from moldau.client.admin import AccessOperation, ResourceKind
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, CONTROLLERS, DRY_RUN
from moldau.programs.tools.kafka.flags import (
    OUTPUT,
    Flag,
    Given,
    Takes,
    WrongUsageError,
    only_one_of,
)

__all__ = ["CLUSTER_NAME", "FLAGS", "OPERATIONS", "check"]

ACTIONS = ("list", "add", "remove")
ACTIONS_WANTED = "Command must include exactly one action: --list, --add, --remove. "
CLUSTER_NAME = "kafka-cluster"
READ, WRITE, CREATE, DELETE, ALTER, DESCRIBE = (
    AccessOperation.READ,
    AccessOperation.WRITE,
    AccessOperation.CREATE,
    AccessOperation.DELETE,
    AccessOperation.ALTER,
    AccessOperation.DESCRIBE,
)
CONFIGS = (AccessOperation.DESCRIBE_CONFIGS, AccessOperation.ALTER_CONFIGS)
OPERATIONS = {
    ResourceKind.TOPIC: (READ, WRITE, CREATE, DESCRIBE, DELETE, ALTER, *CONFIGS),
    ResourceKind.GROUP: (READ, DESCRIBE, DELETE, *CONFIGS),
    ResourceKind.CLUSTER: (
        CREATE,
        AccessOperation.CLUSTER_ACTION,
        *CONFIGS,
        AccessOperation.IDEMPOTENT_WRITE,
        ALTER,
        DESCRIBE,
    ),
    ResourceKind.TRANSACTIONAL_ID: (DESCRIBE, WRITE, AccessOperation.TWO_PHASE_COMMIT),
    ResourceKind.DELEGATION_TOKEN: (DESCRIBE,),
    ResourceKind.USER: (AccessOperation.CREATE_TOKENS, AccessOperation.DESCRIBE_TOKENS),
}
"""Beside ALL, which every resource has."""


def _spelled(operation: AccessOperation) -> str:
    """As people type it: DescribeConfigs."""
    return operation.name.title().replace("_", "")


FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    CONTROLLERS,
    COMMAND_CONFIG,
    Flag("add", "Add rules."),
    Flag("remove", "Remove rules."),
    Flag("list", "List rules, of these resources or of all."),
    Flag("topic", "A topic, or * for all; may be repeated.", Takes.TEXT, "TOPIC"),
    Flag("group", "A group, or * for all.", Takes.TEXT, "GROUP"),
    Flag("cluster", "The cluster itself."),
    Flag("transactional-id", "A transactional id, or * for all.", Takes.TEXT, "ID"),
    Flag("delegation-token", "A token, or * for all.", Takes.TEXT, "TOKEN"),
    Flag("user-principal", "A user whose tokens are meant.", Takes.TEXT, "PRINCIPAL"),
    Flag(
        "resource-pattern-type",
        "literal, prefixed; and to list and remove also any and match.",
        Takes.TEXT,
        "TYPE",
        default="LITERAL",
        choices=("literal", "prefixed", "any", "match"),
    ),
    Flag("allow-principal", "Who is allowed: User:alice, or User:* for all.", Takes.TEXT, "WHO"),
    Flag("deny-principal", "Who is denied, whatever else is allowed.", Takes.TEXT, "WHO"),
    Flag("allow-host", "From where; all without it.", Takes.TEXT, "ADDRESS"),
    Flag("deny-host", "From where; all without it.", Takes.TEXT, "ADDRESS"),
    Flag(
        "operation",
        "What: Read, Write, ...; All without it.",
        Takes.TEXT,
        "NAME",
        choices=tuple(map(_spelled, tuple(AccessOperation)[2:])),
    ),
    Flag("principal", "With --list: the rules of this principal.", Takes.TEXT, "WHO"),
    Flag("producer", "What a producer needs on a topic."),
    Flag("consumer", "What a consumer needs on a topic and a group."),
    Flag("idempotent", "With --producer: idempotence for producers that are older than 2.8."),
    Flag("force", "Remove without asking."),
    DRY_RUN,
)


def check(given: Given) -> str:
    """The action, if the flags belong together."""
    servers = given.has(BOOTSTRAP.name), given.has(CONTROLLERS.name)
    if all(servers):
        raise WrongUsageError(
            "Only one of --bootstrap-server or --bootstrap-controller must be specified"
        )
    if not any(servers):
        raise WrongUsageError(
            "One of --bootstrap-server or --bootstrap-controller must be specified"
        )
    action = only_one_of(given, ACTIONS, ACTIONS_WANTED)
    names = ("allow-host", "allow-principal", "deny-host", "deny-principal")
    if action == "list":
        given.refuse("list", ("producer", "consumer", *names))
    for role in ("producer", "consumer"):
        given.refuse(role, ("operation", "deny-principal", "deny-host"))
    if given.has("principal") and action != "list":
        raise WrongUsageError("The --principal option is only available if --list is set")
    _check_roles(given)
    return action


def _check_roles(given: Given) -> None:
    if given.has("producer") and not given.has("topic"):
        raise WrongUsageError("With --producer you must specify a --topic")
    if given.has("idempotent") and not given.has("producer"):
        raise WrongUsageError("The --idempotent option is only available if --producer is set")
    misplaced = given.has("cluster") or given.has("transactional-id")
    if given.has("consumer") and (
        not (given.has("topic") and given.has("group")) or (misplaced and not given.has("producer"))
    ):
        raise WrongUsageError(
            "With --consumer you must specify a --topic and a --group and no --cluster or "
            "--transactional-id option should be specified."
        )
