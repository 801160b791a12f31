"""A change of quotas is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.config.alter_client_quotas import AlterClientQuotasRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = AlterClientQuotasRequest(entries=[], validate_only=False)


def test_a_change_of_quotas_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("quota.alter_client_quotas", REQUEST, Operation.ALTER_CONFIGS)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
