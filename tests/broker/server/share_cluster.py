"""A whole simulated node with a topic, and members of a share group.

async def main(cluster):
    member = await cluster.member("m")          joined, with its partitions
    got = await member.fetch()               {0: [(0, 9, 1)]}: offsets and delivery count
    await member.fetch({0: [(0, 9, ACCEPT)]})
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from moldau.protocol.messages.config.alter_client_quotas import AlterClientQuotasRequest
from moldau.protocol.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.share.share_acknowledge import ShareAcknowledgeRequest
from moldau.protocol.messages.share.share_fetch import ShareFetchRequest
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.node import simulated_node

Value = TypeVar("Value")
ACCEPT, RELEASE, REJECT, RENEW = 1, 2, 3, 4
Acknowledged = dict[int, list[tuple[int, int, int]]]
GROUP_CONFIGS = 32
SETTINGS = {
    "offsets_topic_num_partitions": 1,
    "share_coordinator_state_topic_num_partitions": 2,
    "group_share_assignment_interval_ms": 0,
}
AGAIN = (ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)


class ShareCluster:
    """One node and its only topic."""

    def __init__(self, machine: Any, node: Any) -> None:
        self.machine = machine
        self.node = node
        self.topic_id = b""

    async def open(self, partitions: int) -> None:
        self.client = await self.machine.connect(self.node)
        form = CreateTopicsRequest.CreatableTopic
        topic = form(
            name="t", num_partitions=partitions, replication_factor=1, assignments=[], configs=[]
        )
        answer = await self.ask(CreateTopicsRequest(topics=[topic], timeout_ms=1000), 7)
        self.topic_id = answer.topics[0].topic_id
        await self.machine.tasks.sleep(10)

    async def ask(self, request: Any, version: int) -> Any:
        return await self.machine.ask(self.client, request, version)

    async def produce(self, count: int, index: int = 0) -> None:
        form = ProduceRequest.TopicProduceData
        values = tuple(b"v%d" % number for number in range(count))
        records = bytes(batch(0, values, self.machine.clock.now_ms()))
        data = form.PartitionProduceData(index=index, records=records)
        topic = form(topic_id=self.topic_id, partition_data=[data])
        request = ProduceRequest(acks=-1, timeout_ms=1000, topic_data=[topic])
        answer = await self.ask(request, 13)
        assert answer.responses[0].partition_responses[0].error_code == 0

    async def configure(self, **configs: str) -> None:
        form = IncrementalAlterConfigsRequest.AlterConfigsResource
        changes = [
            form.AlterableConfig(name=name.replace("_", "."), config_operation=0, value=value)
            for name, value in configs.items()
        ]
        resource = form(resource_type=GROUP_CONFIGS, resource_name="g", configs=changes)
        request = IncrementalAlterConfigsRequest(resources=[resource], validate_only=False)
        answer = await self.ask(request, 1)
        assert answer.responses[0].error_code == 0, answer
        await self.machine.tasks.sleep(10)

    async def limit(self, bytes_per_second: float) -> None:
        """What each consumer may take."""
        form = AlterClientQuotasRequest.EntryData
        entry = form(
            entity=[form.EntityData(entity_type="client-id", entity_name=None)],
            ops=[form.OpData(key="consumer_byte_rate", value=bytes_per_second, remove=False)],
        )
        answer = await self.ask(AlterClientQuotasRequest(entries=[entry], validate_only=False), 1)
        assert answer.entries[0].error_code == 0, answer
        await self.machine.tasks.sleep(10)

    async def member(self, member_id: str, group_id: str = "g") -> Member:
        """A member that has its partitions."""
        member = Member(self, member_id, group_id, await self.machine.connect(self.node))
        await member.join()
        return member


class Member:
    """One consumer with a connection of its own."""

    def __init__(self, cluster: ShareCluster, member_id: str, group_id: str, client: Any) -> None:
        self.cluster = cluster
        self.member_id = member_id
        self.group_id = group_id
        self.client = client
        self.member_epoch = 0
        self.session_epoch = 0
        self.partitions: list[int] = []
        self.last: Any = None

    async def ask(self, request: Any, version: int) -> Any:
        self.last = await self.cluster.machine.ask(self.client, request, version)
        return self.last

    async def beat(self, epoch: int, topics: list[str] | None = None) -> Any:
        request = ShareGroupHeartbeatRequest(
            group_id=self.group_id,
            member_id=self.member_id,
            member_epoch=epoch,
            subscribed_topic_names=topics,
        )
        answer = await self.ask(request, 1)
        if not answer.error_code and answer.assignment is not None:
            self.partitions = [
                index for one in answer.assignment.topic_partitions for index in one.partitions
            ]
        self.member_epoch = answer.member_epoch
        return answer

    async def join(self) -> None:
        answer = await self.beat(0, ["t"])
        while answer.error_code in AGAIN:
            await self.ask(FindCoordinatorRequest(key_type=0, coordinator_keys=["g"]), 6)
            await self.cluster.machine.tasks.sleep(10)
            answer = await self.beat(0, ["t"])
        for _ in range(20):
            if self.partitions:
                return
            await self.cluster.machine.tasks.sleep(1_000)
            await self.beat(self.member_epoch)
        raise AssertionError(f"{self.member_id} is given nothing: {answer}")

    async def fetch(
        self,
        acknowledged: Acknowledged | None = None,
        *,
        epoch: int | None = None,
        wait_ms: int = 500,
        **fields: Any,
    ) -> dict[int, list[tuple[int, int, int]]]:
        """What is acquired in each partition."""
        given = {"max_records": 500, "batch_size": 500, "max_bytes": 1 << 20, "min_bytes": 1}
        request = ShareFetchRequest(
            group_id=self.group_id,
            member_id=self.member_id,
            share_session_epoch=self.session_epoch if epoch is None else epoch,
            max_wait_ms=wait_ms,
            topics=self._topics(ShareFetchRequest.FetchTopic, acknowledged),
            forgotten_topics_data=[],
            **{**given, **fields},
        )
        answer = await self.ask(request, 2)
        self._step(answer)
        return {
            one.partition_index: [
                (got.first_offset, got.last_offset, got.delivery_count)
                for got in one.acquired_records
            ]
            for topic in answer.responses
            for one in topic.partitions
            if one.acquired_records
        }

    async def acknowledge(
        self, acknowledged: Acknowledged, *, epoch: int | None = None, renews: bool = False
    ) -> int:
        """The error code of the first partition, or of the whole request."""
        request = ShareAcknowledgeRequest(
            group_id=self.group_id,
            member_id=self.member_id,
            share_session_epoch=self.session_epoch if epoch is None else epoch,
            is_renew_ack=renews,
            topics=self._topics(ShareAcknowledgeRequest.AcknowledgeTopic, acknowledged),
        )
        answer = await self.ask(request, 2)
        self._step(answer)
        for topic in answer.responses:
            for one in topic.partitions:
                return int(one.error_code)
        return int(answer.error_code)

    def _step(self, answer: Any) -> None:
        if not answer.error_code:
            self.session_epoch += 1

    def _topics(self, form: Any, acknowledged: Acknowledged | None) -> list[Any]:
        acknowledged = acknowledged or {}
        begins = form is ShareFetchRequest.FetchTopic and self.session_epoch == 0
        indexes = sorted({*acknowledged, *(self.partitions if begins else ())})
        if not indexes:
            return []
        (part,) = [one for name, one in vars(form).items() if name.endswith("Partition")]
        partitions = [
            part(
                partition_index=index,
                acknowledgement_batches=[
                    part.AcknowledgementBatch(
                        first_offset=first, last_offset=last, acknowledge_types=[kind]
                    )
                    for first, last, kind in acknowledged.get(index, ())
                ],
            )
            for index in indexes
        ]
        return [form(topic_id=self.cluster.topic_id, partitions=partitions)]


def run(
    main: Callable[[ShareCluster], Awaitable[Value]], *, partitions: int = 1, **settings: Any
) -> Value:
    """Run `main(cluster)` in a world of its own."""

    async def begin(machine: Any) -> Value:
        node = machine.node(**SETTINGS, **settings)
        await node.start()
        cluster = ShareCluster(machine, node)
        await cluster.open(partitions)
        await cluster.configure(share_auto_offset_reset="earliest")
        try:
            return await main(cluster)
        finally:
            assert node.bugs == 0
            await node.stop()

    result: Value = simulated_node.run(begin)
    return result
