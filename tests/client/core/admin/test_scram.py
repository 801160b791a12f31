"""Credentials, as conversations."""

from __future__ import annotations

import hashlib

from moldau.client.core.admin.choices import Mechanism
from moldau.client.core.admin.scram import (
    ScramDeletion,
    ScramUpsertion,
    alter_user_scram_credentials,
    describe_user_scram_credentials,
)
from tests.client.core.admin.asking import call, talk


def test_the_password_does_not_leave_the_client():
    change = ScramUpsertion("a", "secret", Mechanism.SCRAM_SHA_256, 4096, b"salt")
    (row,) = talk(alter_user_scram_credentials(call(), [change])).asked[0][1].upsertions
    assert row.salted_password == hashlib.pbkdf2_hmac("sha256", b"secret", b"salt", 4096)
    assert "secret" not in repr(change)


def test_a_salt_is_drawn_where_none_is_given():
    changes: list[ScramUpsertion | ScramDeletion] = [ScramUpsertion("a", "p"), ScramDeletion("b")]
    request = talk(alter_user_scram_credentials(call(), changes)).asked[0][1]
    assert len(request.upsertions[0].salt) == 32
    assert (request.deletions[0].name, request.deletions[0].mechanism) == ("b", 2)


def test_all_users_are_asked_for_by_none():
    assert talk(describe_user_scram_credentials(call())).asked[0][1].users is None
