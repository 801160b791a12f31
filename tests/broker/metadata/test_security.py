"""Rules and secrets in the image."""

from __future__ import annotations

from moldau.broker.metadata.security import (
    AccessRule,
    EntriesDelta,
    Scram,
    ScramCredential,
    credential_of,
    rule_of,
    token_of,
)
from moldau.protocol.messages.stored.metadata_security import (
    AccessControlEntryRecord,
    DelegationTokenRecord,
    UserScramCredentialRecord,
)


def test_a_rule_says_what_its_record_says():
    record = AccessControlEntryRecord(
        id=b"r" * 16,
        resource_type=2,
        resource_name="orders",
        pattern_type=3,
        principal="User:a",
        host="*",
        operation=3,
        permission_type=3,
    )
    assert rule_of(record) == AccessRule(2, "orders", 3, "User:a", "*", 3, 3)


def test_a_credential_is_found_by_mechanism_and_user():
    record = UserScramCredentialRecord(
        name="a", mechanism=1, salt=b"s", stored_key=b"k", server_key=b"v", iterations=4096
    )
    scram = Scram({(1, "a"): credential_of(record)})
    assert scram.of(1, "a") == ScramCredential(b"s", b"k", b"v", 4096)
    assert scram.of(2, "a") is None


def test_a_token_keeps_its_three_times():
    record = DelegationTokenRecord(
        owner="User:a",
        requester="User:b",
        renewers=["User:c"],
        issue_timestamp=1,
        max_timestamp=3,
        expiration_timestamp=2,
        token_id="t",
    )
    token = token_of(record)
    assert (token.issue_timestamp_ms, token.max_timestamp_ms) == (1, 3)
    assert (token.expiration_timestamp_ms, token.renewers) == (2, ("User:c",))


def test_entries_come_and_go_whole():
    before = {"a": 1, "b": 2}
    delta = EntriesDelta(before)
    assert delta.build() is before
    delta.put("c", 3)
    delta.remove("a")
    assert delta.build() == {"b": 2, "c": 3}
    assert delta.changed == {"c": 3, "a": None}
