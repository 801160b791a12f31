"""What a file declares, and how it is refused."""

import pytest

from moldau.client.admin import AccessOperation, Mechanism, PatternType, Permission, ResourceKind
from moldau.programs.located_yaml import BadYamlError, read_yaml
from moldau.programs.tools.cluster.wanted import read_wanted


def read(text):
    return read_wanted(read_yaml(text.encode(), "f"))


def test_everything_is_read():
    found = read("""
topics:
  a: {partitions: 3, replication-factor: 2, configs: {retention.ms: 5, segment.ms: null}}
  b:
acls:
  - {principal: "User:x", operation: read, resource: "topic:a", pattern: prefixed}
  - {principal: "User:x", operation: cluster-action, resource: cluster, permission: deny}
quotas:
  - {user: x, client-id: <default>, limits: {producer_byte_rate: 10, request_percentage: null}}
users:
  x: {password-file: p, mechanism: SCRAM-SHA-256}
  y: {absent: true}
""")
    first, second = found.topics
    assert (first.partitions, first.replication_factor) == (3, 2)
    assert first.configs == {"retention.ms": "5", "segment.ms": None}
    assert (second.name, second.partitions, second.configs) == ("b", None, {})
    one, other = (acl.rule for acl in found.acls)
    assert (one.operation, one.kind, one.name, one.pattern) == (
        AccessOperation.READ,
        ResourceKind.TOPIC,
        "a",
        PatternType.PREFIXED,
    )
    assert (other.name, other.permission) == ("kafka-cluster", Permission.DENY)
    assert found.quotas[0].entity.parts == (("client-id", None), ("user", "x"))
    assert found.quotas[0].limits == {"producer_byte_rate": 10.0, "request_percentage": None}
    assert [user.absent for user in found.users] == [False, True]
    assert found.users[0].mechanism is Mechanism.SCRAM_SHA_256


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic: {}", "f:1:1: topic is unknown; choose of topics, acls, quotas, users"),
        ("topics: {a: {partitions: 0}}", "f:1:26: 0 is no whole number from 1"),
        ("acls: [{principal: x}]", "f:1:8: operation is missing here"),
        (
            "acls: [{principal: x, operation: fly, resource: cluster}]",
            "f:1:34: fly is none of all, read, write",
        ),
        (
            "acls: [{principal: x, operation: read, resource: a}]",
            "f:1:50: a is no resource: write topic:orders, group:*, cluster",
        ),
        ("quotas: [{limits: {}}]", "f:1:10: user, client-id, ip: one of these names whose"),
        ("users: {a: {}}", "f:1:12: password-file is missing here"),
    ],
)
def test_what_is_wrong_has_a_line_and_a_column(text, message):
    with pytest.raises(BadYamlError) as caught:
        read(text)
    assert str(caught.value).startswith(message)
