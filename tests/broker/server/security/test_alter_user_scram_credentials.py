"""A change of SCRAM users is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.security.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = AlterUserScramCredentialsRequest(deletions=[], upsertions=[])


def test_a_change_of_SCRAM_users_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("security.alter_user_scram_credentials", REQUEST, Operation.ALTER)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
