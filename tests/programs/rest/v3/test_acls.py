"""Access rules, before a node that has an authorizer."""

from __future__ import annotations

from urllib.parse import urlencode

RULE = {
    "resource_type": "TOPIC",
    "resource_name": "orders-",
    "pattern_type": "PREFIXED",
    "principal": "User:alice",
    "host": "*",
    "operation": "READ",
    "permission": "ALLOW",
}
OTHER = {**RULE, "principal": "User:bob", "operation": "WRITE"}


def without_place(rule):
    return {name: rule[name] for name in RULE}


def test_rules_are_added_found_and_deleted(guarded):
    path = f"/v3/clusters/{guarded.cluster}/acls"
    status, headers, body = guarded.raw("POST", path, RULE)
    assert (status, body) == (201, b"")
    found = guarded.get(headers["Location"].removeprefix(guarded.url))
    assert [without_place(one) for one in found["data"]] == [RULE]
    assert found["data"][0]["metadata"]["self"] == headers["Location"]
    status, batch = guarded.v3("POST", "acls:batch", {"data": [RULE, OTHER]})
    assert (status, len(batch["data"])) == (201, 2)
    bobs = guarded.v3("GET", f"acls?{urlencode({'principal': 'User:bob'})}")[1]["data"]
    assert [without_place(one) for one in bobs] == [OTHER]
    gone = guarded.v3("DELETE", "acls?principal=User:alice&pattern_type=PREFIXED&operation=READ")[
        1
    ]["data"]
    assert [without_place(one) for one in gone] == [RULE]
    assert guarded.v3("GET", "acls?operation=READ&resource_name=orders-")[1]["data"] == []
    wrong = [{**RULE, "operation": "ANY"}, {**RULE, "host": None}, {**RULE, "permission": "MAY"}]
    assert [guarded.code("POST", "acls", one) for one in wrong] == [(400, 400)] * 3
    assert guarded.code("GET", "acls?operation=NOPE") == (400, 400)
