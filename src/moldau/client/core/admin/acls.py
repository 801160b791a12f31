"""Access rules: who may do what, to which resources, from where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.choices import (
    AccessOperation,
    PatternType,
    Permission,
    ResourceKind,
)
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil, fulfil_one
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import AtBroker, ToController
from moldau.client.core.dialogue import Dialogue
from moldau.client.errors import refusal
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.security.create_acls import CreateAclsRequest, CreateAclsResponse
from moldau.protocol.messages.security.delete_acls import DeleteAclsRequest, DeleteAclsResponse
from moldau.protocol.messages.security.describe_acls import (
    DescribeAclsRequest,
    DescribeAclsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["AclFilter", "AclRule", "create_acls", "delete_acls", "describe_acls"]

Creation = CreateAclsRequest.AclCreation
Filter = DeleteAclsRequest.DeleteAclsFilter
Hit = DeleteAclsResponse.DeleteAclsFilterResult.DeleteAclsMatchingAcl


@dataclass(frozen=True, slots=True)
class AclRule:
    """One rule."""

    principal: str
    """`User:alice`, or `User:*` for all."""
    operation: AccessOperation
    kind: ResourceKind
    name: str
    """`*` for all; the cluster is `kafka-cluster`."""
    pattern: PatternType = PatternType.LITERAL
    permission: Permission = Permission.ALLOW
    host: str = "*"

    def __str__(self) -> str:
        return (
            f"{self.permission.name.lower()} {self.principal} {self.operation.name.lower()} on "
            f"{self.pattern.name.lower()} {self.kind.name.lower()} {self.name} from {self.host}"
        )


@dataclass(frozen=True, slots=True)
class AclFilter:
    """Which rules are meant; what is left out matches all."""

    principal: str | None = None
    operation: AccessOperation = AccessOperation.ANY
    kind: ResourceKind = ResourceKind.ANY
    name: str | None = None
    pattern: PatternType = PatternType.ANY
    permission: Permission = Permission.ANY
    host: str | None = None

    @classmethod
    def exactly(cls, rule: AclRule) -> AclFilter:
        """What matches this rule and no other."""
        return cls(
            principal=rule.principal,
            operation=rule.operation,
            kind=rule.kind,
            name=rule.name,
            pattern=rule.pattern,
            permission=rule.permission,
            host=rule.host,
        )


Deleted: TypeAlias = Outcomes[AclRule, None]
"""The rules that a filter has met; those that could not be deleted are errors."""


@declared
def create_acls(call: AdminCall, rules: Iterable[AclRule]) -> Dialogue[Outcomes[AclRule, None]]:
    def request(rules: Sequence[AclRule]) -> CreateAclsRequest:
        return CreateAclsRequest(creations=[_creation(rule) for rule in rules])

    def read(
        answer: CreateAclsResponse, rules: Sequence[AclRule]
    ) -> Iterator[tuple[AclRule, Failure | None]]:
        for rule, row in zip(rules, answer.results, strict=True):
            yield rule, failure_or(row.error_code, row.error_message, None)

    plan = Plan(
        what="creating access rules",
        route=ToController[AclRule](),
        request=request,
        read=read,
        noun=lambda rule: f"rule {rule}",
    )
    return fulfil(call, plan, rules)


@declared
def describe_acls(call: AdminCall, wanted: AclFilter | None = None) -> Dialogue[list[AclRule]]:
    """Those that match, or all."""
    meant = wanted or AclFilter()
    request = DescribeAclsRequest(
        resource_type_filter=meant.kind,
        resource_name_filter=meant.name,
        pattern_type_filter=meant.pattern,
        principal_filter=meant.principal,
        host_filter=meant.host,
        operation=meant.operation,
        permission_type=meant.permission,
    )
    plan = Plan(
        what="describing access rules",
        route=AtBroker[None](lambda key: None),
        request=lambda keys: request,
        read=_described,
        noun=lambda key: "access rules",
    )
    return fulfil_one(call, plan)


@declared
def delete_acls(
    call: AdminCall, filters: Iterable[AclFilter]
) -> Dialogue[Outcomes[AclFilter, Deleted]]:
    def request(filters: Sequence[AclFilter]) -> DeleteAclsRequest:
        return DeleteAclsRequest(filters=[_filter(one) for one in filters])

    def read(
        answer: DeleteAclsResponse, filters: Sequence[AclFilter]
    ) -> Iterator[tuple[AclFilter, Deleted | Failure]]:
        for one, row in zip(filters, answer.filter_results, strict=True):
            yield one, failure_or(row.error_code, row.error_message, _deleted(row.matching_acls))

    plan = Plan(
        what="deleting access rules",
        route=ToController[AclFilter](),
        request=request,
        read=read,
        noun=lambda one: "access rules",
    )
    return fulfil(call, plan, filters)


def _creation(rule: AclRule) -> Creation:
    return Creation(
        resource_type=rule.kind,
        resource_name=rule.name,
        resource_pattern_type=rule.pattern,
        principal=rule.principal,
        host=rule.host,
        operation=rule.operation,
        permission_type=rule.permission,
    )


def _filter(one: AclFilter) -> Filter:
    return Filter(
        resource_type_filter=one.kind,
        resource_name_filter=one.name,
        pattern_type_filter=one.pattern,
        principal_filter=one.principal,
        host_filter=one.host,
        operation=one.operation,
        permission_type=one.permission,
    )


def _described(
    answer: DescribeAclsResponse, keys: Sequence[None]
) -> Iterator[tuple[None, list[AclRule] | Failure]]:
    rules = [
        AclRule(
            acl.principal,
            AccessOperation(acl.operation),
            ResourceKind(resource.resource_type),
            resource.resource_name,
            PatternType(resource.pattern_type),
            Permission(acl.permission_type),
            acl.host,
        )
        for resource in answer.resources
        for acl in resource.acls
    ]
    yield None, failure_or(answer.error_code, answer.error_message, rules)


def _deleted(rows: Iterable[Hit]) -> Deleted:
    deleted: Deleted = Outcomes()
    for row in rows:
        rule = AclRule(
            row.principal,
            AccessOperation(row.operation),
            ResourceKind(row.resource_type),
            row.resource_name,
            PatternType(row.pattern_type),
            Permission(row.permission_type),
            row.host,
        )
        if row.error_code:
            code = ErrorCode.read(row.error_code)
            deleted.errors[rule] = refusal(
                f"rule {rule}", code, row.error_message, ApiKey.DELETE_ACLS
            )
        else:
            deleted.values[rule] = None
    return deleted
