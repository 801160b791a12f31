"""DescribeProducers: what the log remembers of each producer."""

from __future__ import annotations

from moldau.protocol.messages.transaction.describe_producers import DescribeProducersRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import DataBroker, result_of


async def described(broker: DataBroker, index: int = 0):
    topic = DescribeProducersRequest.TopicRequest(name="topic", partition_indexes=[index])
    response = await broker.ask(DescribeProducersRequest(topics=[topic]), 0)
    return response.topics[0].partitions[0]


def test_an_open_transaction_shows_where_it_began():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        partition = broker.partition("topic")
        partition.log.producers.verify_transactions = False
        partition.append(batch(producer=(7, 2, 0)))
        partition.append(batch(attributes=0x10, producer=(9, 1, 0), timestamp=4000))
        return (await described(broker)).active_producers

    plain, transactional = result_of(scenario)
    assert (plain.producer_id, plain.current_txn_start_offset) == (7, -1)
    assert (transactional.producer_id, transactional.producer_epoch) == (9, 1)
    assert (transactional.last_sequence, transactional.last_timestamp) == (0, 4000)
    assert (transactional.coordinator_epoch, transactional.current_txn_start_offset) == (-1, 1)


def test_what_is_no_name_of_a_topic_is_reported():
    async def scenario(broker: DataBroker):
        topic = DescribeProducersRequest.TopicRequest(name="..", partition_indexes=[0])
        response = await broker.ask(DescribeProducersRequest(topics=[topic]), 0)
        return response.topics[0].partitions[0].error_code

    assert result_of(scenario) == ErrorCode.INVALID_TOPIC_EXCEPTION


def test_a_partition_that_is_not_here_is_unknown():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        return (await described(broker, index=4)).error_code

    assert result_of(scenario) == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
