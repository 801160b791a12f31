"""Who can log in by SCRAM, and how; never with what."""

from moldau.protocol.messages.security.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
)
from moldau.protocol.messages.stored.metadata_security import UserScramCredentialRecord
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import Judge, handled
from tests.broker.server.images import image_of

MODULE = "security.describe_user_scram_credentials"


def credential(user, mechanism):
    return UserScramCredentialRecord(
        name=user, mechanism=mechanism, salt=b"", stored_key=b"", server_key=b"", iterations=4096
    )


IMAGE = image_of(credential("u", 1), credential("u", 2), credential("v", 2))


def ask(users, **given):
    asked = None
    if users is not None:
        asked = [DescribeUserScramCredentialsRequest.UserName(name=name) for name in users]
    request = DescribeUserScramCredentialsRequest(users=asked)
    return handled(MODULE, request, image=IMAGE, **given)[0]


def test_all_users_are_reported_with_their_mechanisms():
    everyone: tuple[list[str] | None, ...] = (None, [])
    for users in everyone:
        described = {
            result.user: [info.mechanism for info in result.credential_infos]
            for result in ask(users).results
        }
        assert described == {"u": [1, 2], "v": [2]}


def test_each_user_named_is_answered_by_itself():
    codes = {result.user: result.error_code for result in ask(["u", "gone", "v", "v"]).results}
    assert codes == {
        "u": 0,
        "gone": ErrorCode.RESOURCE_NOT_FOUND,
        "v": ErrorCode.DUPLICATE_RESOURCE,
    }


def test_who_may_not_see_the_cluster_is_refused():
    assert ask(None, judge=Judge()) == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
