"""Access rules are added and removed.

A rule that is there already is added without a record. A removal names a filter and hits whatever
matches it; a rule that two filters match is reported by both and removed once.
"""

from __future__ import annotations

from moldau.broker.controller.decision import Call, Deciding, Decision
from moldau.broker.controller.security.acl_filters import matches
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.security import AccessRule
from moldau.broker.security.access import CLUSTER_NAME, Resource
from moldau.broker.security.roles import complaint, is_binding
from moldau.errors import KafkaError
from moldau.protocol.messages.security.create_acls import CreateAclsRequest, CreateAclsResponse
from moldau.protocol.messages.security.delete_acls import DeleteAclsRequest, DeleteAclsResponse
from moldau.protocol.messages.stored.metadata_security import (
    AccessControlEntryRecord,
    RemoveAccessControlEntryRecord,
)
from moldau.protocol.wire.error_codes import ErrorCode

LITERAL, PREFIXED = 3, 4
DENY, ALLOW = 2, 3
OPERATIONS = range(2, 16)
"""From ALL on; UNKNOWN and ANY are for filters."""
RESOURCES = range(2, 8)
UUID_BYTES = 16

AclAnswer = DeleteAclsResponse.DeleteAclsFilterResult.DeleteAclsMatchingAcl


def create_acls(request: CreateAclsRequest, situation: Situation, call: Call) -> Deciding:
    """Add each rule that makes sense and is not there."""
    known = set(situation.image.acls.by_id.values())
    records = []
    results = []
    for asked in request.creations:
        code, message = int(ErrorCode.NONE), None
        rule = _rule(asked)
        try:
            _check(rule)
        except KafkaError as error:
            code, message = error.code, error.message
        else:
            if rule not in known:
                known.add(rule)
                records.append(_record(rule, situation))
        results.append(CreateAclsResponse.AclCreationResult(error_code=code, error_message=message))
        yield
    return Decision(records, CreateAclsResponse(throttle_time_ms=0, results=results))


def _rule(asked: CreateAclsRequest.AclCreation) -> AccessRule:
    return AccessRule(
        asked.resource_type,
        asked.resource_name,
        asked.resource_pattern_type,
        asked.principal,
        asked.host,
        asked.operation,
        asked.permission_type,
    )


def _check(rule: AccessRule) -> None:
    is_cluster = rule.resource_type == Resource.CLUSTER
    if rule.resource_type not in RESOURCES:
        reason = f"{rule.resource_type} is no type of resource"
    elif rule.pattern_type not in (LITERAL, PREFIXED):
        reason = f"{rule.pattern_type} is no kind of pattern; 3 is literal, 4 prefixed"
    elif not rule.resource_name:
        reason = "the resource has no name; * means all"
    elif is_cluster and rule.resource_name != CLUSTER_NAME:
        reason = f"the cluster is called {CLUSTER_NAME}, not {rule.resource_name!r}"
    elif ":" not in rule.principal:
        reason = f"the principal {rule.principal!r} is not of the form User:name"
    elif rule.operation not in OPERATIONS:
        reason = f"{rule.operation} is no operation"
    elif rule.permission_type not in (DENY, ALLOW):
        reason = f"{rule.permission_type} is no permission; 2 is deny, 3 allow"
    else:
        _check_role(rule)
        return
    raise KafkaError(ErrorCode.INVALID_REQUEST, reason)


def _check_role(rule: AccessRule) -> None:
    """Where the host stands for a role, it has to be one."""
    if not is_binding(rule.host):
        return
    wrong = complaint(rule.resource_type, rule.operation, rule.permission_type, rule.host)
    if wrong is not None:
        raise KafkaError(ErrorCode.INVALID_REQUEST, wrong)


def _record(rule: AccessRule, situation: Situation) -> AccessControlEntryRecord:
    return AccessControlEntryRecord(
        id=situation.random.randbytes(UUID_BYTES),
        resource_type=rule.resource_type,
        resource_name=rule.resource_name,
        pattern_type=rule.pattern_type,
        principal=rule.principal,
        host=rule.host,
        operation=rule.operation,
        permission_type=rule.permission_type,
    )


def delete_acls(request: DeleteAclsRequest, situation: Situation, call: Call) -> Deciding:
    """Remove every rule that any of the filters matches."""
    hit: dict[bytes, AccessRule] = {}
    results = []
    for asked in request.filters:
        found = {
            rule_id: rule
            for rule_id, rule in situation.image.acls.by_id.items()
            if matches(rule, asked)
        }
        hit |= found
        results.append(
            DeleteAclsResponse.DeleteAclsFilterResult(
                error_code=ErrorCode.NONE,
                error_message=None,
                matching_acls=[_answer(rule) for rule in found.values()],
            )
        )
        yield
    records = [RemoveAccessControlEntryRecord(id=rule_id) for rule_id in hit]
    return Decision(records, DeleteAclsResponse(throttle_time_ms=0, filter_results=results))


def _answer(rule: AccessRule) -> AclAnswer:
    return AclAnswer(error_code=ErrorCode.NONE, error_message=None, **rule._asdict())
