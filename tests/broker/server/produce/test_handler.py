"""Produce: what is taken, what is refused and how, and when the answer leaves."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.server.call import CLOSE
from moldau.broker.server.produce import handler
from moldau.broker.server.produce.appending import Production
from moldau.broker.server.produce.handler import FEW
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import NOT_YET, DataBroker, result_of, topic_id
from tests.broker.server.hasty_clock import HastyDisk
from tests.broker.server.planted_handler import answered_by

TWO: dict[str, Any] = {"replicas": [1, 2], "isr": [1, 2], "directories": [bytes(16), bytes(16)]}


def produce(
    records: Any = None, topic: str = "topic", index: int = 0, acks: int = -1, **fields: Any
) -> ProduceRequest:
    data = ProduceRequest.TopicProduceData.PartitionProduceData(
        index=index, records=batch(0, (b"a", b"b")) if records is None else records
    )
    one = ProduceRequest.TopicProduceData(
        name=topic, topic_id=topic_id(topic), partition_data=[data]
    )
    return ProduceRequest(acks=acks, timeout_ms=1000, topic_data=[one], **fields)


def only(response: Any) -> Any:
    return response.responses[0].partition_responses[0]


def answer_to(request: ProduceRequest, version: int = 13, **topic: Any) -> Any:
    async def scenario(broker: DataBroker) -> Any:
        await broker.topic("topic", **topic)
        return await broker.ask(request, version)

    return result_of(scenario)


@pytest.mark.parametrize("acks", [1, -1])
@pytest.mark.parametrize("version", [3, 9, 12, 13])
def test_records_are_answered_with_their_first_offset(acks, version):
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        await broker.ask(produce(acks=acks), version)
        return only(await broker.ask(produce(acks=acks), version))

    answer = result_of(scenario)
    assert (answer.error_code, answer.base_offset, answer.log_start_offset) == (0, 2, 0)
    assert answer.log_append_time_ms == -1


def test_acks_0_gets_no_answer_and_an_error_closes_the_connection():
    assert answer_to(produce(acks=0)) is None
    assert answer_to(produce(acks=0, index=7)) is CLOSE


def test_acks_all_waits_for_the_followers():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", **TWO)
        asked = broker.begin(produce(), 13)
        await broker.tasks.sleep(10)
        before = asked.answer
        partition = broker.partition("topic")
        partition.followers[2].log_end_offset = 2
        partition.advance_high_watermark()
        partition.wake()
        await broker.tasks.sleep(1)
        return before, only(asked.answer).error_code

    assert result_of(scenario) == (NOT_YET, 0)


def test_acks_all_times_out_where_the_followers_stay_behind():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", **TWO)
        return only(await broker.ask(produce(), 13)), broker.broker.purgatory.expired

    answer, expired = result_of(scenario)
    assert (answer.error_code, answer.base_offset) == (ErrorCode.REQUEST_TIMED_OUT, 0)
    assert expired == {"Produce": 1}


def test_a_new_leader_ends_the_waiting():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", **TWO)
        asked = broker.begin(produce(), 13)
        await broker.topic("topic", **{**TWO, "leader": 2, "leader_epoch": 1})
        await broker.tasks.sleep(1)
        return only(asked.answer).error_code

    assert result_of(scenario) == ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_too_few_in_sync_after_the_append_is_reported():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", **TWO)
        asked = broker.begin(produce(), 13)
        partition = broker.partition("topic")
        partition.followers[2].log_end_offset = 2
        partition.advance_high_watermark()
        partition.isr, partition.min_isr = (1,), 2
        partition.wake()
        await broker.tasks.sleep(1)
        return only(asked.answer).error_code

    assert result_of(scenario) == ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND


@pytest.mark.parametrize(
    ("request_", "version", "code"),
    [
        (produce(acks=2), 13, ErrorCode.INVALID_REQUIRED_ACKS),
        (produce(topic="other"), 13, ErrorCode.UNKNOWN_TOPIC_ID),
        (produce(topic="other"), 12, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (produce(index=1), 13, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (produce(b""), 13, ErrorCode.INVALID_RECORD),
        (produce(batch() + batch()), 13, ErrorCode.INVALID_RECORD),
        (produce(batch(attributes=0x20)), 13, ErrorCode.INVALID_RECORD),
        (produce(batch(attributes=4)), 6, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
        (produce(batch()[:-1] + b"x"), 13, ErrorCode.CORRUPT_MESSAGE),
        (produce(batch(0, (b"v" * 2_000_000,))), 13, ErrorCode.MESSAGE_TOO_LARGE),
        (produce(batch(producer=(5, 0, 7)), index=1), 13, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    ],
)
def test_what_may_not_be_is_refused_with_kafkas_code(request_, version, code):
    answer = only(answer_to(request_, version))
    assert (answer.error_code, answer.base_offset) == (code, -1)


@pytest.mark.parametrize(
    ("records", "start"), [(b"", -1), (batch()[:-1], -1), (batch() * 2, -1), (batch(7), 0)]
)
def test_the_logs_start_is_reported_beside_errors_that_the_log_found(records, start):
    answer = only(answer_to(produce(records)))
    assert (answer.error_code, answer.log_start_offset) == (ErrorCode.INVALID_RECORD, start)


def test_unknown_topics_are_reported_before_wrong_acks():
    answer = only(answer_to(produce(topic="other", acks=2), 12))
    assert answer.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_a_gap_in_the_sequences_is_refused_and_a_repeat_gets_its_old_offset():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        answers = []
        for sequence in (0, 5, 0):
            records = batch(0, (b"a",), producer=(9, 0, sequence))
            answer = only(await broker.ask(produce(records), 13))
            answers.append((answer.error_code, answer.base_offset, answer.log_start_offset))
        return answers

    assert result_of(scenario) == [
        (0, 0, 0),
        (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, -1, 0),
        (0, 0, 0),
    ]


def test_the_last_good_batch_for_a_partition_counts_and_what_is_wrong_with_others_is_reported():
    part = ProduceRequest.TopicProduceData.PartitionProduceData
    good, bad = part(index=0, records=batch()), part(index=0, records=b"")

    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        request = produce()
        request.topic_data[0].partition_data = [good, good, bad]
        answer = only(await broker.ask(request, 13))
        return answer.error_code, broker.partition("topic").log_end_offset

    assert result_of(scenario) == (ErrorCode.INVALID_RECORD, 1)


def test_bytes_that_are_no_batch_spoil_the_whole_request():
    part = ProduceRequest.TopicProduceData.PartitionProduceData
    request = produce()
    request.topic_data[0].partition_data.append(part(index=5, records=bytes(20)))
    answers = answer_to(request).responses[0].partition_responses
    assert [one.error_code for one in answers] == [ErrorCode.CORRUPT_MESSAGE] * 2
    assert answer_to(produce(bytes(20), acks=0)) is CLOSE


def test_internal_topics_take_writes_from_the_admin_client_alone():
    async def scenario(broker: DataBroker):
        await broker.topic("__consumer_offsets")
        request = produce(topic="__consumer_offsets")
        codes = []
        for client_id in ("client", "__admin_client"):
            answer = await broker.ask(request, 12, client_id)
            codes.append(only(answer).error_code)
        return codes

    assert result_of(scenario) == [ErrorCode.INVALID_TOPIC_EXCEPTION, 0]


def test_a_record_without_key_fails_its_batch_on_a_compacted_topic_and_is_named():
    async def scenario(broker: DataBroker):
        broker.disk.settings.cleanup_policy = ("compact",)
        await broker.topic("topic")
        return only(await broker.ask(produce(batch(0, (b"a",), key=None)), 8))

    answer = result_of(scenario)
    assert answer.error_code == ErrorCode.INVALID_RECORD
    assert [error.batch_index for error in answer.record_errors] == [0]


def test_who_asks_the_wrong_broker_learns_the_leader():
    elsewhere: dict[str, Any] = {
        "replicas": [1, 2],
        "leader": 2,
        "leader_epoch": 4,
        "directories": [bytes(16)] * 2,
    }
    answer = only(answer_to(produce(), **elsewhere))
    assert answer.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert (answer.current_leader.leader_id, answer.current_leader.leader_epoch) == (2, 4)


def test_a_partition_that_is_being_opened_is_waited_for():
    async def scenario(broker: DataBroker):
        opening = broker.tasks.spawn("opening", _ignore(broker.topic("topic")))
        await broker.tasks.sleep(0)
        answer = await broker.ask(produce(), 13)
        await opening
        return only(answer).error_code

    async def _ignore(topic):
        await topic

    assert result_of(scenario) == 0


def test_transactional_batches_need_their_transactional_id():
    request = produce(batch(attributes=0x10, producer=(9, 0, 0)))
    code = only(answer_to(request)).error_code
    assert code == ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED


def test_transactional_batches_are_appended_and_hold_back_committed_readers():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        for sequence in (0, 1):
            records = batch(attributes=0x10, producer=(9, 0, sequence))
            answer = await broker.ask(produce(records, transactional_id="t"), 13)
            assert only(answer).error_code == 0
        return broker.partition("topic").last_stable_offset

    assert result_of(scenario) == 0


def test_batches_that_come_damaged_are_counted_apart():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        await broker.ask(produce(batch()[:-1] + b"x"), 13)
        await broker.ask(produce(batch() + batch()), 13)
        await broker.ask(produce(), 13)
        return broker.broker.traffic.damaged.count

    assert result_of(scenario) == 1


def many(buffer: bytearray) -> ProduceRequest:
    """More than a slice has room for: some twice, some that are not there, some without a batch."""
    data = ProduceRequest.TopicProduceData
    one = batch(0, (b"a", b"b"))
    buffer[:] = one
    batches = [
        data.PartitionProduceData(index=index, records=memoryview(buffer) if index else None)
        for index in [*range(2 * FEW), *range(FEW, 3 * FEW)]
    ]
    topics = [("topic", batches), *((f"absent-{number}", batches[:1]) for number in range(FEW))]
    return ProduceRequest(
        acks=1,
        timeout_ms=1000,
        topic_data=[
            data(name=name, topic_id=topic_id(name), partition_data=list(some))
            for name, some in topics
        ],
    )


def appended_at_one_go(call, broker):
    request = call.request
    return Production(call, broker, request.acks, request.timeout_ms).run()


@pytest.mark.parametrize("version", [9, 13])
def test_very_many_batches_are_appended_in_slices_from_bytes_of_their_own(version):
    async def scenario(broker: DataBroker):
        await broker.topic("topic", 2 * FEW)
        buffer = bytearray(len(batch(0, (b"a", b"b"))))
        asked = broker.begin(many(buffer), version)
        was_answered = asked.answer is not NOT_YET
        buffer[:] = bytes(len(buffer))  # the next requests come into it
        while asked.answer is NOT_YET:
            await broker.tasks.sleep(1)
        ends = [broker.partition("topic", index).log_end_offset for index in range(2 * FEW)]
        return was_answered, encode(asked.answer, version), ends

    in_slices = result_of(scenario, HastyDisk())
    with answered_by(appended_at_one_go, instead_of=handler):
        at_one_go = result_of(scenario)
    assert (in_slices[0], at_one_go[0]) == (False, True)
    assert in_slices[2] == [0] + [2] * (2 * FEW - 1)
    assert in_slices[1:] == at_one_go[1:]


@pytest.mark.parametrize(("acks", "closes"), [(1, False), (0, True)])
def test_bytes_that_are_no_batch_spoil_a_long_request_too(acks, closes):
    data = ProduceRequest.TopicProduceData.PartitionProduceData
    request = produce(acks=acks)
    request.topic_data[0].partition_data += [
        data(index=index, records=bytes(20)) for index in range(2 * FEW)
    ]
    answer = answer_to(request)
    if closes:
        assert answer is CLOSE
    else:
        partitions = answer.responses[0].partition_responses
        assert {one.error_code for one in partitions} == {ErrorCode.CORRUPT_MESSAGE}
        assert len(partitions) == 2 * FEW
