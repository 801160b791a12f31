"""A stage for transaction shards: producers ask, records are kept and applied, markers wait."""

from __future__ import annotations

from types import SimpleNamespace

from moldau.broker.coordinator.record_codec import TRANSACTION_RECORDS, decode_stored, encode_stored
from moldau.broker.coordinator.shard import Decision, RequestContext
from moldau.broker.coordinator.transaction.context import TransactionContext
from moldau.broker.coordinator.transaction.shard import TransactionShard
from moldau.broker.log.directory.names import TopicPartition
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.add_offsets_to_txn import AddOffsetsToTxnRequest
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnRequest
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from moldau.protocol.wire.error_codes import ErrorCode

FIRST_ID = 4000
START_MS = 1_000_000
TIMEOUT_MS = 60_000

SETTINGS = {
    "transaction_max_timeout_ms": 900_000,
    "transactional_id_expiration_ms": 604_800_000,
    "transaction_abort_timed_out_transaction_cleanup_interval_ms": 10_000,
    "transaction_remove_expired_transaction_cleanup_interval_ms": 3_600_000,
    "transaction_two_phase_commit_enable": False,
}


class Stage:
    """One shard, its log, and the effects that were not carried out yet."""

    def __init__(self, version=2, **settings):
        self.version = version
        self.now_ms = START_MS
        self.next_id: int | None = FIRST_ID
        self.log = []
        self.effects = []
        self.world = TransactionContext(
            settings=SimpleNamespace(**(SETTINGS | settings)),
            take_producer_id=self._take,
            transaction_version=lambda: self.version,
            offsets_partition=lambda group: len(group),
        )
        self.shard = TransactionShard(self.world)

    def _take(self):
        if self.next_id is None:
            raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, "no ids")
        self.next_id += 1
        return self.next_id - 1

    def carry_out(self, decision):
        """As the runtime does where nothing fails; what is applied has been through bytes."""
        for record in decision.records:
            key, value = encode_stored(record)
            self.log.append((key, value))
            self.shard.apply(record, len(self.log), self.now_ms)
        self.effects += decision.effects
        return [reply.response for reply in decision.replies]

    def ask(self, request, version):
        """The answer to a request; refusals are raised."""
        self.now_ms += 1
        [response] = self.carry_out(
            self.shard.decide(request, RequestContext(1, version), self.now_ms)
        )
        return response

    def reload(self):
        """Another broker takes over: all it has is the log."""
        self.shard = TransactionShard(self.world)
        self.effects = []
        for offset, (key, value) in enumerate(self.log):
            record = decode_stored(TRANSACTION_RECORDS, key, value)
            assert record is not None
            self.shard.apply(record, offset, self.now_ms)
        self.carry_out(self.shard.loaded(self.now_ms))

    def finish(self):
        """Write all markers that are asked for."""
        while self.effects:
            markers = self.effects.pop(0)
            self.carry_out(self.shard.markers_written(markers, markers.partitions, self.now_ms))

    def pass_time(self, duration_ms):
        """Let time pass, with ticks when the shard wants them."""
        end_ms = self.now_ms + duration_ms
        while (wake_ms := self.shard.wake_at_ms()) is not None and wake_ms <= end_ms:
            self.now_ms = max(wake_ms, self.now_ms)
            self.carry_out(self.shard.tick(self.now_ms))
        self.now_ms = end_ms

    # What clients say.

    def init(self, name="t", *, had=(-1, -1), timeout_ms=TIMEOUT_MS, version=5, **two_phase):
        response = self.ask(
            InitProducerIdRequest(
                transactional_id=name,
                transaction_timeout_ms=timeout_ms,
                producer_id=had[0],
                producer_epoch=had[1],
                **two_phase,
            ),
            6 if two_phase else version,
        )
        if response.error_code:
            raise KafkaError(response.error_code)
        self.answer = response
        return response.producer_id, response.producer_epoch

    def add(self, who, *indexes, name="t", topic="orders", verify_only=False):
        """As a broker does; the codes of the partitions."""
        one = AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction(
            transactional_id=name,
            producer_id=who[0],
            producer_epoch=who[1],
            verify_only=verify_only,
            topics=[wanted(topic, indexes or (0,))],
        )
        response = self.ask(AddPartitionsToTxnRequest(transactions=[one]), 5)
        [result] = response.results_by_transaction[0].topic_results
        return [one.partition_error_code for one in result.results_by_partition]

    def add_as_client(self, who, *indexes, name="t", topic="orders", version=3):
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=name,
            v3_and_below_producer_id=who[0],
            v3_and_below_producer_epoch=who[1],
            v3_and_below_topics=[wanted(topic, indexes or (0,))],
        )
        return self.ask(request, version).results_by_topic_v3_and_below

    def add_offsets(self, who, group, name="t"):
        request = AddOffsetsToTxnRequest(
            transactional_id=name, producer_id=who[0], producer_epoch=who[1], group_id=group
        )
        return self.ask(request, 3).error_code

    def end(self, who, *, commit=True, name="t", version=5):
        """Who the client is afterwards."""
        response = self.ask(
            EndTxnRequest(
                transactional_id=name,
                producer_id=who[0],
                producer_epoch=who[1],
                committed=commit,
            ),
            version,
        )
        assert response.error_code == ErrorCode.NONE
        return response.producer_id, response.producer_epoch

    # What is to be seen.

    def code_of(self, act, *arguments, **named):
        """The error code of something that is refused, or 0."""
        try:
            act(*arguments, **named)
        except KafkaError as error:
            return ErrorCode.read(error.code)
        return ErrorCode.NONE

    def transaction(self, name="t"):
        return self.shard.book.by_id[name]

    def state(self, name="t"):
        return self.transaction(name).state.title

    def put(self, name="t", **changes):
        """Make the id look otherwise, as if many transactions had gone by."""
        changed = self.transaction(name).step(**changes)
        self.carry_out(Decision([changed.record(1)]))


def wanted(topic, indexes):
    return AddPartitionsToTxnRequest.AddPartitionsToTxnTopic(name=topic, partitions=list(indexes))


def partitions(topic, *indexes):
    return [TopicPartition(topic, index) for index in indexes]
