"""UpdateRaftVoter goes to the quorum, if the caller may ask for it."""

from moldau.broker.security.access import Operation
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.quorum_asking import answered


def test_a_voters_new_address_is_the_quorums_to_answer():
    assert (
        answered("UpdateRaftVoter", "update_raft_voter", Operation.CLUSTER_ACTION)
        == "the quorum's answer"
    )


def test_a_voters_new_address_is_refused_to_who_may_only_create():
    refused = answered("UpdateRaftVoter", "update_raft_voter", Operation.CREATE)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
