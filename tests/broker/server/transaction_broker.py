"""A broker that coordinates transactions, on a simulated disk, asked call by call."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from moldau.broker.node.producer_ids import producer_ids
from moldau.broker.node.transaction_coordinator import transaction_coordinator
from moldau.broker.server.apis import BROKER, handler_of
from moldau.broker.server.topic.creation import TRANSACTIONS_TOPIC
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.allocate_producer_ids import AllocateProducerIdsResponse
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnRequest
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from tests.broker.coordinator.transaction.stage import SETTINGS
from tests.broker.server import data_broker
from tests.broker.server.asking import call_of
from tests.broker.server.data_broker import DataBroker

BLOCK_START = 7000
NO_PRODUCER = (-1, -1)


class TransactionBroker:
    """What clients of transactions say to a broker."""

    def __init__(self, data: DataBroker) -> None:
        self.data = data
        self.broker = data.broker
        self.allocated = 0

    async def start(self) -> None:
        broker, data = self.broker, self.data
        data.write([FeatureLevelRecord(name="transaction.version", feature_level=2)])
        broker.metadata.ask = self._allocate
        broker.groups = SimpleNamespace(partition_for=len)
        broker.producer_ids = producer_ids(broker)
        broker.transactions = transaction_coordinator(broker)
        data.replicas.listen(broker.transactions.on_leading, broker.transactions.on_leaving)
        await data.topic(TRANSACTIONS_TOPIC)
        while broker.transactions.is_loading:
            await data.tasks.sleep(1)
        broker.groups = None

    async def _allocate(self, request: Any, call: Any) -> AllocateProducerIdsResponse:
        self.allocated += 1
        first = BLOCK_START + (self.allocated - 1) * 1000
        return AllocateProducerIdsResponse(
            throttle_time_ms=0, error_code=0, producer_id_start=first, producer_id_len=1000
        )

    # What clients say.

    async def ask(self, request: Any, version: int) -> Any:
        return await self.data.ask(request, version)

    async def refusal(self, request: Any, version: int) -> int:
        """The code of the error that a handler raises; the dispatcher makes a response of it."""
        call = call_of(request, version)
        try:
            await handler_of(request.KEY, BROKER[request.KEY])(call, self.broker)
        except KafkaError as error:
            return error.code
        raise AssertionError("was not refused")

    async def init(self, name: str | None = "t", version: int = 5, **fields: Any) -> Any:
        given = {"transaction_timeout_ms": 60_000, "producer_id": -1, "producer_epoch": -1}
        request = InitProducerIdRequest(transactional_id=name, **(given | fields))
        return await self.ask(request, version)

    async def identity(self, name: str = "t") -> tuple[int, int]:
        answer = await self.init(name)
        assert answer.error_code == 0, answer
        return answer.producer_id, answer.producer_epoch

    async def add(self, who: tuple[int, int], *topics: str, name: str = "t") -> Any:
        request = as_client(who, *topics, name=name)
        return await self.ask(request, 3)

    async def end(
        self, who: tuple[int, int], version: int = 5, *, commit: bool = True, name: str = "t"
    ) -> Any:
        request = EndTxnRequest(
            transactional_id=name, producer_id=who[0], producer_epoch=who[1], committed=commit
        )
        return await self.ask(request, version)

    async def rest(self) -> None:
        """Let what goes on in the background be done."""
        await self.data.tasks.sleep(100)


def as_client(who: tuple[int, int], *topics: str, name: str = "t") -> AddPartitionsToTxnRequest:
    return AddPartitionsToTxnRequest(
        transactions=[],
        v3_and_below_transactional_id=name,
        v3_and_below_producer_id=who[0],
        v3_and_below_producer_epoch=who[1],
        v3_and_below_topics=[wanted(topic) for topic in topics],
    )


def as_broker(*transactions: Any) -> AddPartitionsToTxnRequest:
    return AddPartitionsToTxnRequest(
        transactions=list(transactions),
        v3_and_below_transactional_id="",
        v3_and_below_producer_id=0,
        v3_and_below_producer_epoch=0,
        v3_and_below_topics=[],
    )


def wanted(topic: str, *indexes: int) -> AddPartitionsToTxnRequest.AddPartitionsToTxnTopic:
    return AddPartitionsToTxnRequest.AddPartitionsToTxnTopic(
        name=topic, partitions=list(indexes or (0,))
    )


class Nothing:
    """An authorizer that allows what is named, and nothing else."""

    def __init__(self, *allowed: tuple[int, str], any_topic: bool = False) -> None:
        self._allowed = frozenset(allowed)
        self._any_topic = any_topic

    def allows_any(self, caller: Any, operation: int, resource: int) -> bool:
        return self._any_topic

    def allows(self, caller: Any, operation: int, resource: int, name: str) -> bool:
        return (operation, name) in self._allowed

    def allowed(self, caller: Any, resource: int, name: str) -> int:
        return 0


def result_of(scenario: Any, disk: Any = None, **settings: Any) -> Any:
    """Run a scenario with a coordinator on a fresh disk, or on one that was used before."""

    async def main(data: DataBroker) -> Any:
        broker = TransactionBroker(data)
        await broker.start()
        return await scenario(broker)

    chosen = {
        "transaction_state_log_num_partitions": 1,
        "transaction_state_log_load_buffer_size": 5_242_880,
        **SETTINGS,
        **settings,
    }
    return data_broker.result_of(main, disk, **chosen)
