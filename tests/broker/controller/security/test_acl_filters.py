"""A filter means rules by each of their parts; MATCH means whatever would apply to a name."""

import pytest

from moldau.broker.controller.security.acl_filters import matches
from moldau.broker.metadata.security import AccessRule
from moldau.protocol.messages.security.delete_acls import DeleteAclsRequest

ANY, MATCH, LITERAL, PREFIXED = 1, 2, 3, 4
RULE = AccessRule(2, "topic-1", LITERAL, "User:u", "*", 3, 3)


def asked(**values):
    everything = {
        "resource_type_filter": 1,
        "resource_name_filter": None,
        "pattern_type_filter": ANY,
        "principal_filter": None,
        "host_filter": None,
        "operation": 1,
        "permission_type": 1,
    }
    return DeleteAclsRequest.DeleteAclsFilter(**{**everything, **values})


@pytest.mark.parametrize(
    ("part", "same", "other"),
    [
        ("resource_type_filter", 2, 3),
        ("resource_name_filter", "topic-1", "topic"),
        ("pattern_type_filter", LITERAL, PREFIXED),
        ("principal_filter", "User:u", "User:v"),
        ("host_filter", "*", "1.2.3.4"),
        ("operation", 3, 2),
        ("permission_type", 3, 2),
    ],
)
def test_every_part_counts(part, same, other):
    assert matches(RULE, asked())
    assert matches(RULE, asked(**{part: same}))
    assert not matches(RULE, asked(**{part: other}))


@pytest.mark.parametrize(
    ("kind", "name", "pattern", "hit"),
    [
        (MATCH, "topic-1", LITERAL, True),
        (MATCH, "*", LITERAL, True),
        (MATCH, "top", PREFIXED, True),
        (MATCH, "tip", PREFIXED, False),
        (MATCH, "topic", LITERAL, False),
        (LITERAL, "*", LITERAL, False),
        (PREFIXED, "top", PREFIXED, False),
        (ANY, "top", PREFIXED, False),
    ],
)
def test_only_match_looks_at_patterns_as_patterns(kind, name, pattern, hit):
    rule = RULE._replace(resource_name=name, pattern_type=pattern)
    assert matches(rule, asked(pattern_type_filter=kind, resource_name_filter="topic-1")) is hit
