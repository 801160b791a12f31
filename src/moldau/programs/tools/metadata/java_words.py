"""Entries of the image in the words that Kafka's shell has for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.broker.metadata.cluster import BrokerState, ControllerState, Endpoint, SupportedLevels
from moldau.broker.metadata.security import AccessRule, DelegationToken, ScramCredential
from moldau.broker.metadata.settings import QuotaEntity
from moldau.broker.metadata.topics import RECOVERING, PartitionState
from moldau.protocol.wire.uuids import uuid_text

__all__ = [
    "broker_text",
    "controller_text",
    "credential_text",
    "entity_name",
    "number_text",
    "partition_text",
    "resource_name",
    "rule_text",
    "token_text",
]

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
RESOURCES = {2: "TOPIC", 4: "BROKER", 8: "BROKER_LOGGER", 16: "CLIENT_METRICS", 32: "GROUP"}
GUARDED = {
    2: "TOPIC",
    3: "GROUP",
    4: "CLUSTER",
    5: "TRANSACTIONAL_ID",
    6: "DELEGATION_TOKEN",
    7: "USER",
}
PATTERNS = {3: "LITERAL", 4: "PREFIXED"}
PERMISSIONS = {2: "DENY", 3: "ALLOW"}
OPERATIONS = (
    "UNKNOWN",
    "ANY",
    "ALL",
    "READ",
    "WRITE",
    "CREATE",
    "DELETE",
    "ALTER",
    "DESCRIBE",
    "CLUSTER_ACTION",
    "DESCRIBE_CONFIGS",
    "ALTER_CONFIGS",
    "IDEMPOTENT_WRITE",
    "CREATE_TOKENS",
    "DESCRIBE_TOKENS",
    "TWO_PHASE_COMMIT",
)
ENTITIES = {"client-id": "clientId", "ip": "ip", "user": "user"}
DEFAULT_ENTITY = "<default>"
"""Java's shell leaves the type out, and then cannot find what it lists."""
PLAIN_MIN, PLAIN_END = 1e-3, 1e7
"""Between these Java writes a number without an exponent."""


def broker_text(broker: BrokerState) -> str:
    rack = "Optional.empty" if broker.rack is None else f"Optional[{broker.rack}]"
    cordoned = broker.cordoned_log_dirs
    return (
        f"BrokerRegistration(id={broker.broker_id}, epoch={broker.epoch}, "
        f"incarnationId={uuid_text(broker.incarnation_id)}, "
        f"listeners={_listeners(broker.endpoints)}, supportedFeatures={_levels(broker.features)}, "
        f"rack={rack}, fenced={_flag(broker.fenced)}, "
        f"inControlledShutdown={_flag(broker.in_controlled_shutdown)}, "
        f"isMigratingZkBroker={_flag(broker.is_migrating_zk_broker)}, "
        f"directories={_ids(broker.log_dirs)}, "
        f"cordonedDirectories={'null' if cordoned is None else _ids(cordoned)})"
    )


def controller_text(controller: ControllerState) -> str:
    return (
        f"ControllerRegistration(id={controller.controller_id}, "
        f"incarnationId={uuid_text(controller.incarnation_id)}, "
        f"zkMigrationReady={_flag(controller.zk_migration_ready)}, "
        f"listeners={_listeners(controller.endpoints)}, "
        f"supportedFeatures={_levels(controller.features)})"
    )


def partition_text(state: PartitionState) -> str:
    recovery = "RECOVERING" if state.recovery_state == RECOVERING else "RECOVERED"
    return (
        f"PartitionRegistration(replicas={_numbers(state.replicas)}, "
        f"directories={_ids(state.directories)}, isr={_numbers(state.isr)}, "
        f"removingReplicas={_numbers(state.removing_replicas)}, "
        f"addingReplicas={_numbers(state.adding_replicas)}, "
        f"elr={_numbers(state.eligible_leader_replicas)}, "
        f"lastKnownElr={_numbers(state.last_known_elr)}, leader={state.leader}, "
        f"leaderRecoveryState={recovery}, leaderEpoch={state.leader_epoch}, "
        f"partitionEpoch={state.partition_epoch})"
    )


def rule_text(rule: AccessRule) -> str:
    return (
        f"StandardAcl[resourceType={GUARDED[rule.resource_type]}, "
        f"resourceName={rule.resource_name}, patternType={PATTERNS[rule.pattern_type]}, "
        f"principal={rule.principal}, host={rule.host}, operation={OPERATIONS[rule.operation]}, "
        f"permissionType={PERMISSIONS[rule.permission_type]}]"
    )


def credential_text(credential: ScramCredential) -> str:
    return (
        f"ScramCredentialData(salt={credential.salt.hex()}, "
        f"storedKey={credential.stored_key.hex()}, serverKey={credential.server_key.hex()}, "
        f"iterations={credential.iterations})"
    )


def token_text(token: DelegationToken) -> str:
    """With brackets as Java has them."""
    return (
        f"DelegationTokenDatatokenId={token.token_id}(owner={token.owner}"
        f"(tokenRequester={token.requester}(renewers={' '.join(token.renewers)}, "
        f"issueTimestamp={token.issue_timestamp_ms}, maxTimestamp={token.max_timestamp_ms}), "
        f"expiryTimestamp={token.expiration_timestamp_ms}"
    )


def resource_name(kind: int, name: str) -> str:
    return f"{RESOURCES[kind]}:{name}" if name else RESOURCES[kind]


def entity_name(entity: QuotaEntity) -> str:
    """As `clientId(app)_user(alice)`."""
    return "_".join(f"{ENTITIES[kind]}({_escaped(name)})" for kind, name in entity)


def _escaped(name: str | None) -> str:
    if name is None:
        return DEFAULT_ENTITY
    return name.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def number_text(number: float) -> str:
    """As Java writes one of its doubles."""
    if number == 0 or PLAIN_MIN <= abs(number) < PLAIN_END:
        return repr(float(number))
    sign = "-" if number < 0 else ""
    exponent = f"{abs(number):e}".partition("e")[2]
    digits = repr(abs(float(number))).partition("e")[0].replace(".", "").strip("0")
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{int(exponent)}"


def _listeners(endpoints: Mapping[str, Endpoint]) -> str:
    texts = (
        f"Endpoint(listenerName='{one.name}', "
        f"securityProtocol={PROTOCOLS[one.security_protocol]}, host='{one.host}', port={one.port})"
        for _, one in sorted(endpoints.items())
    )
    return f"[{', '.join(texts)}]"


def _levels(features: Mapping[str, SupportedLevels]) -> str:
    texts = (
        f"{name}: {levels.low}"
        if levels.low == levels.high
        else f"{name}: {levels.low}-{levels.high}"
        for name, levels in sorted(features.items())
    )
    return f"{{{', '.join(texts)}}}"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _ids(ids: Iterable[bytes]) -> str:
    return f"[{', '.join(map(uuid_text, ids))}]"


def _numbers(numbers: Iterable[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"
