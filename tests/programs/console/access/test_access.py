"""Quotas, users and access rules."""

from moldau.client.admin import AccessOperation, AclRule, ResourceKind
from moldau.programs.console.access.access import shown_rule


def test_a_rule_is_shown_in_words():
    rule = AclRule("User:ann", AccessOperation.READ, ResourceKind.TOPIC, "orders")
    assert shown_rule(rule) == {
        "principal": "User:ann",
        "permission": "allow",
        "operation": "read",
        "kind": "topic",
        "name": "orders",
        "pattern": "literal",
        "host": "*",
    }


def test_a_cluster_without_access_rules_has_a_sentence(console):
    status, sentence = console.refusal("GET", "/acls")
    assert status == 400
    assert sentence


def test_quotas_and_users_are_listed(console):
    console.run("set-quota", entity={"user": "ann"}, values={"producer_byte_rate": 1024})
    console.run("set-user", user="ann", password="secret", mechanism="SCRAM-SHA-256")
    quota = {"entity": [["user", "ann"]], "values": {"producer_byte_rate": 1024.0}}
    assert quota in console.get("/quotas")
    credentials = {one["user"]: one["credentials"] for one in console.get("/users")}
    assert credentials["ann"][0]["mechanism"] == "scram_sha_256"
