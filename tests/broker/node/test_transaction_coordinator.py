"""Transactions on a whole node."""

from __future__ import annotations

from moldau.broker.coordinator.transaction.markers import WriteMarkers
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.node.transaction_coordinator import PartitionLeaders
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnRequest
from moldau.protocol.messages.transaction.describe_transactions import DescribeTransactionsRequest
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.node.simulated_node import run
from tests.broker.server.transaction_broker import as_client

NOTHING = WriteMarkers("t", 0, 0, is_commit=True, partitions=(), transaction_version=2)
Topic = MetadataRequest.MetadataRequestTopic
INIT = InitProducerIdRequest(transactional_id="t", transaction_timeout_ms=60_000)


class Client:
    """Speaks with a node as a transactional producer does."""

    def __init__(self, machine, link):
        self._machine = machine
        self._link = link

    async def say(self, request, version):
        return await self._machine.ask(self._link, request, version)

    async def prepare(self):
        """Have the topics made, and find the coordinator."""
        find = FindCoordinatorRequest(key="", key_type=1, coordinator_keys=["t"])
        while (await self.say(find, 4)).coordinators[0].error_code:
            await self._machine.tasks.sleep(10)
        topics = MetadataRequest(topics=[Topic(name="orders")])
        while (await self.say(topics, 12)).topics[0].error_code:
            await self._machine.tasks.sleep(10)

    async def init(self):
        while (answer := await self.say(INIT, 5)).error_code:
            assert ErrorCode.read(answer.error_code).retriable, answer
            await self._machine.tasks.sleep(10)
        return answer.producer_id, answer.producer_epoch

    async def add(self, who):
        request: AddPartitionsToTxnRequest = as_client(who, "orders")
        answer = await self.say(request, 3)
        return answer.results_by_topic_v3_and_below[0].results_by_partition[0]

    async def end(self, who, *, commit):
        request = EndTxnRequest(
            transactional_id="t", producer_id=who[0], producer_epoch=who[1], committed=commit
        )
        return await self.say(request, 5)

    async def state(self):
        answer = await self.say(DescribeTransactionsRequest(transactional_ids=["t"]), 0)
        return answer.transaction_states[0].transaction_state


async def begin(machine, node):
    await node.start()
    client = Client(machine, await machine.connect(node))
    await client.prepare()
    return client


def test_a_transaction_goes_from_its_producer_id_to_its_markers():
    async def main(machine):
        node = machine.node(transaction_state_log_num_partitions=2)
        client = await begin(machine, node)
        who = await client.init()
        assert (await client.add(who)).partition_error_code == 0
        answer = await client.end(who, commit=True)
        await machine.tasks.sleep(10)
        state = await client.state()
        size = node.broker.replicas.leader("orders", 0).log_end_offset
        await node.stop()
        return who, answer.producer_epoch, state, size

    assert run(main) == ((0, 0), 1, "CompleteCommit", 1)


def test_after_a_restart_the_coordinator_knows_what_was_open():
    async def main(machine):
        node = machine.node(transaction_state_log_num_partitions=2)
        client = await begin(machine, node)
        who = await client.init()
        await client.add(who)
        await node.stop()
        again = machine.node()
        client = await begin(machine, again)
        before = await client.state()
        next_one = await client.init()
        await again.stop()
        return before, who, next_one

    before, who, next_one = run(main)
    assert before == "Ongoing"
    assert next_one == (who[0], who[1] + 2), "the epoch between them fenced the old one"


def test_leaders_are_those_of_the_metadata():
    async def main(machine):
        node = machine.node(transaction_state_log_num_partitions=2)
        await begin(machine, node)
        leaders = PartitionLeaders(node.broker)
        found = [leaders.leader_of(TopicPartition(name, 0)) for name in ("orders", "nowhere")]
        epoch = leaders.coordinator_epoch(1)
        elsewhere = await leaders.write(99, NOTHING, 0, [TopicPartition("orders", 0)])
        await node.stop()
        return found, epoch, list(elsewhere.values())

    found, epoch, codes = run(main)
    assert (found, epoch) == ([1, None], 0)
    assert codes == [ErrorCode.NETWORK_EXCEPTION]
