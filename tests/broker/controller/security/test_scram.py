"""What is stored of a password can check a login and not make one."""

import hashlib
import hmac

import pytest

from moldau.protocol.messages.security.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, names

DELETION = AlterUserScramCredentialsRequest.ScramCredentialDeletion
UPSERTION = AlterUserScramCredentialsRequest.ScramCredentialUpsertion
SALTED = hashlib.pbkdf2_hmac("sha256", b"secret", b"salt", 4096)


def setting(user, mechanism=1, iterations=4096):
    return UPSERTION(
        name=user, mechanism=mechanism, iterations=iterations, salt=b"salt", salted_password=SALTED
    )


def request(*changes):
    return AlterUserScramCredentialsRequest(
        deletions=[change for change in changes if isinstance(change, DELETION)],
        upsertions=[change for change in changes if isinstance(change, UPSERTION)],
    )


def codes(reply):
    return {result.user: result.error_code for result in reply.results}


def test_a_client_that_knows_the_password_can_be_checked():
    cluster = Conversation()
    _, reply = cluster.ask(request(setting("u")))
    stored = cluster.image.scram.of(1, "u")
    assert stored is not None
    assert codes(reply) == {"u": 0}
    client_key = hmac.digest(SALTED, b"Client Key", "sha256")
    assert hashlib.sha256(client_key).digest() == stored.stored_key
    assert stored.server_key == hmac.digest(SALTED, b"Server Key", "sha256")
    assert (stored.salt, stored.iterations) == (b"salt", 4096)


def test_credentials_are_deleted_and_set_in_one_request():
    cluster = Conversation()
    cluster.ask(request(setting("old")))
    cluster.ask(request(setting("old", 2)))
    records, _ = cluster.ask(request(DELETION(name="old", mechanism=1), setting("new", 2)))
    assert names(records) == ["RemoveUserScramCredential", "UserScramCredential"]
    assert set(cluster.image.scram.by_user) == {(2, "old"), (2, "new")}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (setting(""), ErrorCode.UNACCEPTABLE_CREDENTIAL),
        (setting("u", 3), ErrorCode.UNSUPPORTED_SASL_MECHANISM),
        (setting("u", 1, 4095), ErrorCode.UNACCEPTABLE_CREDENTIAL),
        (setting("u", 1, 16_385), ErrorCode.UNACCEPTABLE_CREDENTIAL),
        (DELETION(name="u", mechanism=1), ErrorCode.RESOURCE_NOT_FOUND),
        (DELETION(name="u", mechanism=0), ErrorCode.UNSUPPORTED_SASL_MECHANISM),
    ],
)
def test_a_refused_user_stays_as_it_was_and_the_others_change(change, code):
    records, reply = Conversation().ask(request(change, setting("fine")))
    assert codes(reply) == {change.name: code, "fine": 0}
    assert [record.name for record in records] == ["fine"]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ([setting("")], "Username must not be empty"),
        ([setting("u", 3)], "Unknown SCRAM mechanism"),
        ([setting("u", 1, 4095)], "Too few iterations"),
        ([setting("u", 1, 16_385)], "Too many iterations"),
        (
            [DELETION(name="u", mechanism=1)],
            "Attempt to delete a user credential that does not exist",
        ),
        (
            [setting("u", 1), setting("u", 2)],
            "A user credential cannot be altered twice in the same request",
        ),
    ],
)
def test_a_refusal_says_why_in_kafkas_words(changes, text):
    _, reply = Conversation().ask(request(*changes))
    assert [result.error_message for result in reply.results] == [text]


def test_a_user_named_twice_is_refused():
    records, reply = Conversation().ask(request(setting("u"), setting("u", 2), setting("v")))
    assert codes(reply) == {"u": ErrorCode.DUPLICATE_RESOURCE, "v": 0}
    assert len(records) == 1


@pytest.mark.parametrize(
    ("first", "then", "code"),
    [
        (setting("u", 1, 4095), setting("u", 2), ErrorCode.UNACCEPTABLE_CREDENTIAL),
        (setting("u", 1), setting("u", 2, 4095), ErrorCode.DUPLICATE_RESOURCE),
        (setting("u", 1), setting("u", 3), ErrorCode.DUPLICATE_RESOURCE),
        (DELETION(name="u", mechanism=1), setting("u", 1), ErrorCode.RESOURCE_NOT_FOUND),
    ],
)
def test_a_user_is_refused_for_the_first_reason_that_the_request_has(first, then, code):
    records, reply = Conversation().ask(request(first, then))
    assert (codes(reply), records) == ({"u": code}, [])


def test_old_metadata_has_no_place_for_credentials():
    cluster = Conversation(levels={"metadata.version": 10})
    assert cluster.refusal(request(setting("u"))) == ErrorCode.UNSUPPORTED_VERSION
