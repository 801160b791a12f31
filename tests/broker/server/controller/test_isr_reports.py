"""A leader's proposals stand until it is sure what has become of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.metrics.registry import Registry
from moldau.broker.replica.isr import FollowerProgress
from moldau.broker.server.controller.isr_reports import IsrReports
from moldau.errors import KafkaError
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.protocol.messages.broker.alter_partition import AlterPartitionResponse
from moldau.protocol.wire.error_codes import ErrorCode

TOPIC = b"t" * 16
EPOCH, PARTITION_EPOCH = 3, 4
Topic = AlterPartitionResponse.TopicData


def partition(index=0):
    progress = FollowerProgress()
    progress.broker_epoch = 8
    return SimpleNamespace(
        topic_id=TOPIC,
        index=index,
        name=f"t-{index}",
        leader_epoch=EPOCH,
        partition_epoch=PARTITION_EPOCH,
        proposed_isr=(1, 2, 3),
        followers={2: progress},
    )


class Controller:
    """Answers with these codes, one question after the other; None is no answer."""

    def __init__(self, codes, partition_epoch=PARTITION_EPOCH + 1):
        self.asked = []
        self.metrics = Registry()
        self._codes = list(codes)
        self._partition_epoch = partition_epoch

    async def ask(self, request, call):
        self.asked.append(request)
        code = self._codes.pop(0)
        if code is None:
            raise KafkaError(ErrorCode.REQUEST_TIMED_OUT)
        answer = Topic.PartitionData(
            error_code=code, leader_id=1, leader_epoch=EPOCH, isr=[1, 2, 3],
            partition_epoch=self._partition_epoch, partition_index=0,
        )  # fmt: skip
        topics = [Topic(topic_id=TOPIC, partitions=[answer])]
        return AlterPartitionResponse(throttle_time_ms=0, error_code=0, topics=topics)


def asked_in(controller, act):
    async def main(tasks):
        broker: Any = SimpleNamespace(
            node_id=1, epoch=7, metadata=controller, tasks=tasks, metrics=controller.metrics
        )
        act(IsrReports(broker))
        await tasks.sleep(1000)

    simulated_tasks.run(main)
    return controller.asked


def propose(controller, one):
    return asked_in(controller, lambda reports: reports.proposed(one, (1, 2, 3)))


def test_members_are_named_in_the_life_in_which_they_last_fetched():
    (request,) = propose(Controller([0]), partition())
    (entry,) = request.topics[0].partitions
    members = [(one.broker_id, one.broker_epoch) for one in entry.new_isr_with_epochs]
    assert members == [(1, 7), (2, 8), (3, -1)]
    assert (entry.leader_epoch, entry.partition_epoch) == (EPOCH, PARTITION_EPOCH)


def test_proposals_of_one_moment_are_one_question():
    def act(reports):
        for index in range(3):
            reports.proposed(partition(index), (1, 2, 3))

    (request,) = asked_in(Controller([0]), act)
    assert [one.partition_index for one in request.topics[0].partitions] == [0, 1, 2]


def test_a_proposal_is_asked_again_until_there_is_an_answer():
    one = partition()
    assert len(propose(Controller([None, None, 0]), one)) == 3
    assert one.proposed_isr == (1, 2, 3)  # until the metadata come


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.INVALID_UPDATE_VERSION,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.NEW_LEADER_ELECTED,
    ],
)
def test_a_proposal_stands_where_it_may_have_been_taken_by_an_earlier_question(code):
    one = partition()
    propose(Controller([None, code]), one)
    assert one.proposed_isr == (1, 2, 3)


@pytest.mark.parametrize("code", [ErrorCode.INELIGIBLE_REPLICA, ErrorCode.OPERATION_NOT_ATTEMPTED])
def test_a_refused_proposal_is_taken_back(code):
    one = partition()
    propose(Controller([code]), one)
    assert one.proposed_isr is None


def test_what_the_controller_does_not_take_is_counted():
    for codes, failed in (([0], 0), ([None, 0], 0), ([ErrorCode.INELIGIBLE_REPLICA], 1)):
        controller = Controller(codes)
        propose(controller, partition())
        ((name, meter),) = controller.metrics
        assert (name.name, repr(meter)) == ("FailedIsrUpdatesPerSec", f"Meter({failed})")


def test_a_proposal_that_changes_nothing_is_over():
    one = partition()
    propose(Controller([0], partition_epoch=PARTITION_EPOCH), one)
    assert one.proposed_isr is None


def test_a_proposal_that_is_overtaken_by_the_metadata_is_not_asked_again():
    one = partition()

    def act(reports):
        reports.proposed(one, (1, 2, 3))
        one.partition_epoch += 1

    assert not asked_in(Controller([None]), act)
