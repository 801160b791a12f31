"""DescribeQuorum goes to the quorum, if the caller may ask for it."""

from moldau.broker.security.access import Operation
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.quorum_asking import answered


def test_the_state_of_the_quorum_is_the_quorums_to_answer():
    assert (
        answered("DescribeQuorum", "describe_quorum", Operation.DESCRIBE) == "the quorum's answer"
    )


def test_the_state_of_the_quorum_is_refused_to_who_may_only_create():
    refused = answered("DescribeQuorum", "describe_quorum", Operation.CREATE)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
