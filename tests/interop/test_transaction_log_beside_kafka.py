"""Judge: the same transactions leave the same records in `__transaction_state`, here and in Kafka.

Both nodes are asked the same, by clients that are current, stale or strangers, in a random order.
Every answer must be the same, and in the end so must be every record: key, value, its version, the
order of the partitions in it, and the header of its batch. Only times are taken out.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from moldau.broker.coordinator.record_codec import TRANSACTION_RECORDS, decode_stored, encode_stored
from moldau.broker.coordinator.transaction.states import TransactionState
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.stored.transaction_log import TransactionLogKey, TransactionLogValue
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.transaction.add_offsets_to_txn import AddOffsetsToTxnRequest
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnRequest
from moldau.protocol.messages.transaction.describe_transactions import DescribeTransactionsRequest
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from moldau.protocol.records.batch import iterate_batches, read_whole_header
from moldau.protocol.records.record import iterate_records
from tests.interop.differential.side import Side

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]

NAMES = ("payments", "stock", "überweisung")
TOPICS = {"orders": 40, "a": 3}
STEPS = 300
STEPS_LONG = 5_000
PATIENCE_S = 20
LAST_EPOCH = 32766
SETTINGS = {"unstable.api.versions.enable": "true"}
IN_A_HURRY = {
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "200",
    "transaction.remove.expired.transaction.cleanup.interval.ms": "200",
    "transactional.id.expiration.ms": "2500",
}
GONE = ""
SETTLED = (GONE, "Empty", "Ongoing", "CompleteCommit", "CompleteAbort")
Identity = tuple[int, int]


@dataclass
class Pair:
    """The two nodes; what each knows of clients is the same as long as they answer the same."""

    sides: list[Side]
    folders: list[Path]
    random: SeededRandom
    holders: dict[str, list[Identity]] = field(default_factory=dict)

    def below(self, limit):
        return self.random.randrange(0, limit)

    def ask(self, request, version):
        """The answer, which both must give."""
        ours, theirs = (side.ask(request, version) for side in self.sides)
        assert ours == theirs, f"asked {request} v{version}"
        return ours

    def settle(self, name):
        """Wait until no transaction of the id is ending any more."""
        for side in self.sides:
            wait_for(side, lambda one: state_of(one, name) in SETTLED)

    def init(self, name, version, had=(-1, -1), timeout_ms=60_000):
        request = InitProducerIdRequest(
            transactional_id=name,
            transaction_timeout_ms=timeout_ms,
            producer_id=had[0],
            producer_epoch=had[1],
        )
        answer = self.ask(request, version)
        self.learn(name, answer)
        return answer

    def learn(self, name, answer):
        known = self.holders.setdefault(name, [])
        identity = answer.producer_id, answer.producer_epoch
        if answer.error_code == 0 and answer.producer_id >= 0 and identity not in known:
            known.append(identity)

    def producer(self, name):
        """Mostly who came last; now and then one from before, or a stranger."""
        known = self.holders.get(name) or [(4711, 0)]
        draw = self.random.random()
        if draw < 0.75:
            return known[-1]
        if draw < 0.95:
            return known[max(0, len(known) - 1 - self.below(3))]
        return known[-1][0] + 1000, known[-1][1]

    def step(self):
        """One request of a producer."""
        name = NAMES[self.below(len(NAMES))]
        draw = self.below(12)
        if draw < 2:
            self.init(name, self.below(6))
        elif draw < 3:
            self.init(name, 3 + self.below(3), self.producer(name))
        elif draw < 7:
            self.ask(self.addition(name, self.producer(name)), self.below(4))
        elif draw < 8:
            who = self.producer(name)
            request = AddOffsetsToTxnRequest(
                transactional_id=name, producer_id=who[0], producer_epoch=who[1], group_id="g"
            )
            self.ask(request, self.below(5))
        else:
            who = self.producer(name)
            request = end(name, who, commit=draw % 2 == 0)
            version = 5 if self.random.random() < 0.7 else self.below(5)
            self.learn(name, self.ask(request, version))
        self.settle(name)

    def begin(self, name):
        """Have the rightful producer open a transaction."""
        answer = self.ask(self.addition(name, self.holders[name][-1]), 3)
        for topic in answer.results_by_topic_v3_and_below:
            assert all(one.partition_error_code == 0 for one in topic.results_by_partition)

    def addition(self, name, who):
        of = AddPartitionsToTxnRequest.AddPartitionsToTxnTopic
        first, count = self.below(30), 1 + self.below(6)
        topics = [of(name="orders", partitions=list(range(first, first + count)))]
        if self.random.random() < 0.5:
            topics.append(of(name="a", partitions=[self.below(3)]))
        return AddPartitionsToTxnRequest(
            transactions=[],
            v3_and_below_transactional_id=name,
            v3_and_below_producer_id=who[0],
            v3_and_below_producer_epoch=who[1],
            v3_and_below_topics=topics,
        )


def end(name, who, *, commit):
    return EndTxnRequest(
        transactional_id=name, producer_id=who[0], producer_epoch=who[1], committed=commit
    )


def state_of(side, name):
    answer = side.ask(DescribeTransactionsRequest(transactional_ids=[name]), 0)
    [state] = answer.transaction_states
    return state.transaction_state


def wait_for(side, is_so):
    deadline = time.monotonic() + PATIENCE_S
    while not is_so(side):
        assert time.monotonic() < deadline, f"{side.name} does not get there"


def records_in(folder):
    """What the log holds, with the times taken out."""
    found: list[tuple[object, ...]] = []
    for path in sorted((folder / "__transaction_state-0").glob("*.log")):
        for batch in iterate_batches(path.read_bytes()):
            header = read_whole_header(batch)
            of_batch = header.base_sequence, header.producer_id, header.attributes
            found.extend((of_batch, *timeless(record)) for record in iterate_records(batch))
    return found


def timeless(record):
    stored = decode_stored(TRANSACTION_RECORDS, record.key, record.value)
    assert stored is not None
    assert encode_stored(stored) == (record.key, record.value)
    value = stored.value
    if value is None:
        return record.key, None
    assert isinstance(value, TransactionLogValue)
    value.transaction_last_update_timestamp_ms = 0
    value.transaction_start_timestamp_ms = min(value.transaction_start_timestamp_ms, 0)
    return encode_stored(stored)


def states_in(records, name):
    """The states that an id went through."""
    found = []
    for _, key, value in records:
        stored = decode_stored(TRANSACTION_RECORDS, key, value)
        assert stored is not None
        if stored.key == TransactionLogKey(transactional_id=name):
            found.append(title_of(stored.value))
    return found


def title_of(value):
    if value is None:
        return GONE
    assert isinstance(value, TransactionLogValue)
    return TransactionState.read(value.transaction_status).title


@pytest.fixture
def pair(request, new_moldau_node, new_kafka_node, seed):
    print(f"seed {seed}")
    settings = SETTINGS | getattr(request, "param", {})
    nodes = [new_moldau_node(settings), new_kafka_node(settings)]
    for node in nodes:
        node.start()
    sides = [
        Side(name, node.client_port) for name, node in zip(("ours", "Kafka"), nodes, strict=True)
    ]
    for side in sides:
        prepare(side)
    yield Pair(sides, [node.data for node in nodes], SeededRandom(seed))
    for side in sides:
        side.close()


def prepare(side):
    topic = CreateTopicsRequest.CreatableTopic
    topics = [
        topic(name=name, num_partitions=count, replication_factor=1, assignments=[], configs=[])
        for name, count in TOPICS.items()
    ]
    side.ask(CreateTopicsRequest(topics=topics, timeout_ms=30_000), 7)
    for key_type in (0, 1):
        find = FindCoordinatorRequest(key_type=key_type, coordinator_keys=["g"])
        wait_for(side, lambda one, find=find: one.ask(find, 6).coordinators[0].error_code == 0)
    warm = InitProducerIdRequest(transactional_id="warm", transaction_timeout_ms=1000)
    wait_for(side, lambda one: one.ask(warm, 4).error_code == 0)


def same_records(pair):
    ours, theirs = (records_in(folder) for folder in pair.folders)
    for index, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        assert mine == other, f"record {index} of {len(ours)} and {len(theirs)}"
    assert len(ours) == len(theirs)
    return len(ours)


def test_the_same_transactions_leave_the_same_records(pair, volume):
    for _ in range(volume(STEPS, STEPS_LONG)):
        pair.step()
    assert same_records(pair) > STEPS / 3


def use_up(pair, name):
    """Have the last epoch of a producer id given out."""
    request = InitProducerIdRequest(transactional_id=name, transaction_timeout_ms=60_000)
    for side in pair.sides:
        while side.ask(request, 4).producer_epoch < LAST_EPOCH - 1:
            pass
    assert pair.init(name, 4).producer_epoch == LAST_EPOCH


@pytest.mark.long
@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("commit", [True, False])
def test_used_up_epochs_are_handled_as_kafka_does(pair, commit, version):
    name = NAMES[0]
    use_up(pair, name)
    last = pair.holders[name][-1]
    pair.begin(name)
    for who in (last, last):
        pair.learn(name, pair.ask(end(name, who, commit=commit), version))
        pair.settle(name)
    for _ in range(30):
        pair.step()
    same_records(pair)


@pytest.mark.long
def test_fencing_a_used_up_epoch_is_handled_as_kafka_does(pair):
    name = NAMES[0]
    use_up(pair, name)
    pair.begin(name)
    for _ in range(3):
        pair.init(name, 4)
        pair.settle(name)
    same_records(pair)


@pytest.mark.parametrize("pair", [IN_A_HURRY], indirect=True)
def test_what_is_overdue_is_aborted_and_what_is_old_forgotten_as_in_kafka(pair):
    name = NAMES[0]
    pair.init(name, 4, timeout_ms=500)
    pair.begin(name)
    for side in pair.sides:
        for who in (name, "warm"):
            wait_for(side, lambda one, who=who: state_of(one, who) == GONE)
    ours, theirs = (records_in(folder) for folder in pair.folders)
    assert sorted(ours, key=repr) == sorted(theirs, key=repr)
    assert states_in(ours, name) == ["Empty", "Ongoing", "PrepareAbort", "CompleteAbort", GONE]
    assert states_in(ours, "warm") == ["Empty", GONE]
