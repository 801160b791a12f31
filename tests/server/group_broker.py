"""A broker that coordinates groups: the handlers above a real shard, on a simulated disk."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from moldau.coordinator.group.groups import GroupWorld
from moldau.coordinator.group.shard import GroupShard
from moldau.coordinator.record_codec import GROUP_RECORDS
from moldau.errors import KafkaError
from moldau.runtime.shard_loop import ShardRuntime
from moldau.security.access import Operation, Resource
from moldau.server.broker import Broker
from moldau.server.topic_creation import OFFSETS_TOPIC
from moldau.simulated.randomness import SeededRandom
from moldau.wire.error_codes import ErrorCode
from tests.coordinator.group.play import SomeSettings
from tests.server import data_broker
from tests.server.data_broker import DataBroker

Value = TypeVar("Value")
Story = Callable[["DataBroker"], Coroutine[Any, Any, Value]]


class Noted:
    """Stands where topics are created; notes which were wanted."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def begin(self, broker: Broker, names: Iterable[str]) -> None:
        self.names += names


class Forbids:
    """An authorizer that forbids whatever has one of these names."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def allows(self, asker: Any, operation: Operation, resource: Resource, name: str) -> bool:
        return name not in self.names

    def allowed(self, asker: Any, resource: Resource, name: str) -> int:
        return 8


class Loading:
    """Stands where the coordinator is as long as it loads its groups."""

    def partition_for(self, key: str) -> int:
        return 0

    def running(self, index: int) -> Any:
        raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)

    async def ask(self, key: str, request: Any, **how: Any) -> Any:
        return self.running(0)


def play(story: Story[Value], *, offsets_topic: bool = True) -> Value:
    """Run a story with a topic `t` of two partitions, and a coordinator for every group."""

    async def main(stage: DataBroker) -> Value:
        broker = stage.broker
        broker.topic_creation = Noted()
        world = GroupWorld(SomeSettings(), SeededRandom(3), lambda: stage.metadata.image)
        runtime = ShardRuntime(
            OFFSETS_TOPIC,
            lambda: 1,
            lambda index: GroupShard(world),
            GROUP_RECORDS,
            stage.replicas,
            broker.clock,
            stage.tasks,
        )
        broker.groups = runtime
        stage.replicas.listen(runtime.on_leading, runtime.on_leaving)
        await stage.topic("t", 2)
        if offsets_topic:
            await stage.topic(OFFSETS_TOPIC)
            while not runtime.indexes:
                await stage.tasks.sleep(1)
        return await story(stage)

    return data_broker.play(main)
