"""EndQuorumEpoch goes to the quorum, if the caller may ask for it."""

from moldau.broker.security.access import Operation
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.quorum_asking import answered


def test_the_word_of_a_leader_that_stops_is_the_quorums_to_answer():
    assert (
        answered("EndQuorumEpoch", "end_quorum_epoch", Operation.CLUSTER_ACTION)
        == "the quorum's answer"
    )


def test_the_word_of_a_leader_that_stops_is_refused_to_who_may_only_create():
    refused = answered("EndQuorumEpoch", "end_quorum_epoch", Operation.CREATE)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
