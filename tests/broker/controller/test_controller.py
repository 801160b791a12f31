"""One table leads to all decisions, and the log's end is always known."""

import pytest

from moldau.broker.controller.controller import DECIDERS, decider_of
from moldau.broker.controller.decision import Call, Decision
from moldau.broker.metadata.image import EMPTY_IMAGE
from moldau.errors import KafkaError
from moldau.protocol.messages.index import BY_KEY
from tests.broker.controller.conversation import Conversation, registration


def test_every_decision_answers_a_request_of_the_protocol():
    assert set(DECIDERS) <= set(BY_KEY)
    assert all(callable(decider_of(api_key)) for api_key in DECIDERS)


def test_deciding_changes_nothing_that_lasts():
    cluster = Conversation()
    before = cluster.image
    decision = cluster.controller.decide(registration(1), Call(4), cluster.now_ms, cluster.now_ms)
    assert isinstance(decision, Decision)
    assert decision.records
    assert cluster.image is before


def test_what_the_quorum_writes_itself_moves_the_end_of_the_log():
    cluster = Conversation()
    end = cluster.controller.next_offset
    cluster.controller.skip_to(end + 2)
    _, reply = cluster.ask(registration(1))
    assert reply.broker_epoch == end + 2
    cluster.controller.skip_to(end)
    assert cluster.controller.next_offset == end + 3


def test_an_image_knows_where_it_ends():
    cluster = Conversation()
    cluster.controller.apply((), 40, 2, cluster.now_ms)
    assert cluster.controller.next_offset == 41
    assert EMPTY_IMAGE.offset == -1


def test_a_broker_that_was_killed_with_its_controller_registers_again_at_once():
    """The session of another node's broker still has to end first."""
    for own in (1, 2):
        cluster = Conversation(
            process_roles="broker,controller", node_id=str(own), controller_listener_names="C"
        )
        cluster.join(1)
        cluster.controller.activate(cluster.now_ms)
        again = registration(1, life=2)
        if own == 1:
            _, reply = cluster.ask(again)
            assert reply.error_code == 0
        else:
            with pytest.raises(KafkaError, match="another process is alive as broker 1"):
                cluster.ask(again)
