"""Credentials, access rules, tokens and quotas, with either broker."""

from __future__ import annotations

import pytest

from moldau.client import InvalidArgumentError, RefusedError
from moldau.client.admin import (
    AccessOperation,
    AclFilter,
    AclRule,
    Admin,
    Mechanism,
    PatternType,
    Permission,
    QuotaMatch,
    ResourceKind,
    ScramDeletion,
    ScramInfo,
    ScramUpsertion,
    entity_of,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.sync.admin.settling import settled
from tests.client.sync.admin.test_topics import code_of


def test_quotas_are_set_found_by_their_parts_and_removed(admin: Admin, topic):
    user, both = entity_of({"user": topic}), entity_of({"user": topic, "client-id": None})
    rates = {"producer_byte_rate": 1000.0}
    admin.alter_client_quotas({user: rates, both: {"request_percentage": 50.0}}).all()

    def found(strict: bool) -> object:
        return admin.describe_client_quotas({"user": topic}, strict=strict)

    assert settled(lambda: found(True), bool) == {user: rates}
    assert found(False) == {user: rates, both: {"request_percentage": 50.0}}
    any_name = admin.describe_client_quotas({"user": QuotaMatch.ANY, "client-id": None})
    assert any_name[both] == {"request_percentage": 50.0}
    admin.alter_client_quotas({user: {"producer_byte_rate": None}}).all()
    assert settled(lambda: found(True), lambda quotas: not quotas) == {}


def test_each_entity_has_its_own_outcome(admin: Admin, topic):
    good, bad = entity_of({"user": topic}), entity_of({"user": f"{topic}-x"})
    outcomes = admin.alter_client_quotas(
        {good: {"consumer_byte_rate": 1.0}, bad: {"nope": 1.0}}, validate_only=True
    )
    assert list(outcomes.values) == [good]
    assert code_of(outcomes.errors[bad]) is ErrorCode.INVALID_REQUEST
    with pytest.raises(InvalidArgumentError, match="'host'"):
        entity_of({"host": "a"})


def test_passwords_are_given_shown_by_their_kind_and_taken_away(admin: Admin, topic):
    secret = ScramUpsertion(topic, "secret", Mechanism.SCRAM_SHA_256, 8192)
    assert "secret" not in repr(secret)
    admin.alter_user_scram_credentials([secret]).all()
    admin.alter_user_scram_credentials([ScramUpsertion(topic, "secret")]).all()

    def infos() -> tuple[ScramInfo, ...]:
        return admin.describe_user_scram_credentials([topic]).values.get(topic, ())

    both = {ScramInfo(Mechanism.SCRAM_SHA_256, 8192), ScramInfo(Mechanism.SCRAM_SHA_512, 4096)}
    assert set(settled(infos, both.issubset)) == both
    assert topic in admin.describe_user_scram_credentials().values
    admin.alter_user_scram_credentials([ScramDeletion(topic, Mechanism.SCRAM_SHA_256)]).all()
    one = (ScramInfo(Mechanism.SCRAM_SHA_512, 4096),)
    assert settled(infos, one.__eq__) == one


def test_credentials_that_are_not_there_are_their_own_errors(admin: Admin, topic):
    missing = admin.describe_user_scram_credentials([topic])
    assert code_of(missing.errors[topic]) is ErrorCode.RESOURCE_NOT_FOUND
    outcomes = admin.alter_user_scram_credentials(
        [ScramDeletion(topic), ScramUpsertion(f"{topic}-x", "p", iterations=1)]
    )
    assert code_of(outcomes.errors[topic]) is ErrorCode.RESOURCE_NOT_FOUND
    assert code_of(outcomes.errors[f"{topic}-x"]) is ErrorCode.UNACCEPTABLE_CREDENTIAL


def test_rules_are_created_found_and_deleted(admin: Admin, topic):
    read = AclRule("User:alice", AccessOperation.READ, ResourceKind.TOPIC, topic)
    write = AclRule(
        "User:bob",
        AccessOperation.WRITE,
        ResourceKind.TOPIC,
        topic[:8],
        PatternType.PREFIXED,
        Permission.DENY,
        "10.0.0.1",
    )
    admin.create_acls([read, write]).all()
    matching = AclFilter(kind=ResourceKind.TOPIC, name=topic, pattern=PatternType.MATCH)
    found = settled(lambda: admin.describe_acls(matching), lambda rules: len(rules) == 2)
    assert set(found) == {read, write}
    assert set(admin.describe_acls()) >= {read, write}
    of_alice = AclFilter(principal="User:alice", name=topic)
    deleted = admin.delete_acls([of_alice, AclFilter(name="no-such")])
    assert deleted[of_alice].all() == {read: None}
    assert len(deleted[AclFilter(name="no-such")]) == 0
    left = settled(lambda: admin.describe_acls(matching), lambda rules: len(rules) == 1)
    assert left == [write]
    assert "deny User:bob write on prefixed topic" in str(write)


def test_a_rule_that_cannot_be_is_its_own_error(admin: Admin):
    wrong = AclRule("alice", AccessOperation.READ, ResourceKind.TOPIC, "t")
    assert code_of(admin.create_acls([wrong]).errors[wrong])


def test_who_has_not_logged_in_gets_no_token(admin: Admin):
    for ask in (
        lambda: admin.create_delegation_token(renewers=["User:bob"], max_lifetime_ms=1000),
        lambda: admin.renew_delegation_token(b"1", 1000),
        lambda: admin.expire_delegation_token(b"1"),
        lambda: admin.describe_delegation_token(["User:bob"]),
    ):
        with pytest.raises(RefusedError, match="DELEGATION_TOKEN"):
            ask()
    with pytest.raises(InvalidArgumentError, match="TYPE:NAME"):
        admin.create_delegation_token(owner="bob")
