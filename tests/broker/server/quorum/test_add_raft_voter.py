"""AddRaftVoter goes to the quorum, if the caller may ask for it."""

from moldau.broker.security.access import Operation
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.quorum_asking import answered


def test_a_new_voter_is_the_quorums_to_answer():
    assert answered("AddRaftVoter", "add_raft_voter", Operation.ALTER) == "the quorum's answer"


def test_a_new_voter_is_refused_to_who_may_only_create():
    refused = answered("AddRaftVoter", "add_raft_voter", Operation.CREATE)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
