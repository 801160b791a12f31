"""No producer id is handed out twice."""

from moldau.protocol.messages.broker.allocate_producer_ids import AllocateProducerIdsRequest
from moldau.protocol.messages.stored.metadata_cluster import ProducerIdsRecord
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation


def request(cluster):
    epoch = cluster.image.cluster.brokers[1].epoch
    return AllocateProducerIdsRequest(broker_id=1, broker_epoch=epoch)


def test_blocks_follow_each_other():
    cluster = Conversation(brokers=1)
    starts = []
    for _ in range(3):
        records, reply = cluster.ask(request(cluster))
        assert records[0].next_producer_id == reply.producer_id_start + reply.producer_id_len
        starts.append(reply.producer_id_start)
    assert starts == [0, 1000, 2000]


def test_an_earlier_life_gets_none():
    cluster = Conversation(brokers=1)
    stale = AllocateProducerIdsRequest(broker_id=1, broker_epoch=0)
    assert cluster.refusal(stale) == ErrorCode.STALE_BROKER_EPOCH


def test_when_all_are_gone_there_are_no_more():
    cluster = Conversation(brokers=1)
    cluster.write([ProducerIdsRecord(broker_id=1, broker_epoch=1, next_producer_id=(1 << 63) - 5)])
    assert cluster.refusal(request(cluster)) == ErrorCode.UNKNOWN_SERVER_ERROR
