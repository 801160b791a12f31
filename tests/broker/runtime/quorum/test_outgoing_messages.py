"""What comes back to who asked."""

from __future__ import annotations

import pytest

from moldau.broker.quorum.effects import AskVote, Fetch
from moldau.broker.quorum.events import VoteAnswered
from moldau.broker.quorum.log_view import LogEnd
from moldau.broker.quorum.voters import ReplicaKey
from moldau.broker.runtime.quorum.membership import Identity
from moldau.broker.runtime.quorum.outgoing_messages import (
    event_from,
    event_from_refusal,
    known,
    request_for,
)
from moldau.errors import KafkaError, NetworkError
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.quorum.vote import VoteResponse
from moldau.protocol.wire.error_codes import ErrorCode

ME = Identity(1, b"d" * 16, "cluster")
PRE_VOTE = AskVote(ReplicaKey(2), 5, LogEnd(3, 9), True)


def test_a_fetch_says_who_asks_and_what_it_has():
    request = request_for(Fetch(2, 5, LogEnd(3, 9), 7, 1), ME, 1000, 0)
    assert isinstance(request, FetchRequest)
    partition = request.topics[0].partitions[0]
    assert (partition.fetch_offset, partition.last_fetched_epoch) == (9, 3)
    assert (partition.current_leader_epoch, partition.high_watermark) == (5, 7)
    assert (request.replica_state.replica_id, partition.replica_directory_id) == (1, b"d" * 16)


def test_an_answer_that_is_an_error_as_a_whole_is_no_event():
    assert event_from(PRE_VOTE, 2, VoteResponse(error_code=104, topics=[])) is None
    fetch = Fetch(2, 5, LogEnd(3, 9), 7, 1)
    assert event_from(fetch, 2, FetchResponse(error_code=104, responses=[])) is None
    assert event_from(fetch, 2, VoteResponse(error_code=0, topics=[])) is None


def test_a_voter_that_knows_no_pre_votes_counts_as_a_yes():
    unsupported = KafkaError(ErrorCode.UNSUPPORTED_VERSION, "no such version")
    event = event_from_refusal(PRE_VOTE, unsupported)
    assert event == VoteAnswered(2, True, 5, 5, None, False, knows_pre_votes=False)
    assert event_from_refusal(PRE_VOTE, NetworkError("there", "gone")) is None
    assert event_from_refusal(Fetch(2, 5, LogEnd(3, 9), 7, 1), unsupported) is None


@pytest.mark.parametrize(("node_id", "meant"), [(-1, None), (0, 0), (7, 7)])
def test_minus_one_is_no_node(node_id, meant):
    assert known(node_id) == meant
