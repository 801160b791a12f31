"""A broker that coordinates groups: the handlers above a real shard, on a simulated disk."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import asdict, replace
from typing import Any, TypeVar

from moldau.broker.coordinator.group.groups import GroupContext
from moldau.broker.coordinator.group.shard import GroupShard
from moldau.broker.coordinator.record_codec import GROUP_RECORDS
from moldau.broker.metadata.settings import Features
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.apis import BROKER, handler_of
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import ANONYMOUS, Call
from moldau.broker.server.topic.creation import OFFSETS_TOPIC
from moldau.errors import KafkaError
from moldau.platform.ports.network import Address
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.coordinator import SomeSettings
from tests.broker.replica.broker_world import Broker as Disk
from tests.broker.server import data_broker
from tests.broker.server.data_broker import DataBroker

Value = TypeVar("Value")
Scenario = Callable[["DataBroker"], Coroutine[Any, Any, Value]]


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

    def allows(self, caller: Any, operation: Operation, resource: Resource, name: str) -> bool:
        return name not in self.names

    def allows_any(self, caller: Any, operation: Operation, resource: Resource) -> bool:
        return False

    def allowed(self, caller: Any, resource: Resource, name: str) -> int:
        return 8


class Loading:
    """Stands where the coordinator is as long as it loads its groups."""

    def partition_for(self, key: str) -> int:
        return 0

    def running(self, index: int) -> Any:
        raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)

    async def ask(self, key: str, request: Any, **how: Any) -> Any:
        return self.running(0)

    def tell(self, answered: Any, key: str, request: Any, **how: Any) -> None:
        self.running(0)


def result_of(
    scenario: Scenario[Value], *, offsets_topic: bool = True, disk: Disk | None = None
) -> Value:
    """Run a scenario with a topic `t` of two partitions, and a coordinator for every group."""

    async def main(stage: DataBroker) -> Value:
        broker = stage.broker
        broker.topic_creation = Noted()
        world = GroupContext(SomeSettings(), SeededRandom(3), lambda: stage.metadata.image)
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
        return await scenario(stage)

    protocols = ("classic", "consumer", "share", "streams")
    return data_broker.result_of(
        main, disk, group_coordinator_rebalance_protocols=protocols, **asdict(SomeSettings())
    )


def enable_protocols(stage: DataBroker) -> None:
    """The cluster supports the newer protocols of groups."""
    image = stage.metadata.image
    levels = {**image.features.levels, "group.version": 1, "streams.version": 1}
    stage.metadata.image = replace(image, features=Features(levels))


async def refused(stage: DataBroker, request: Any, version: int) -> int:
    """The code with which a handler refuses a whole request."""
    call = Call(
        request.KEY, version, 1, "a client", request, ANONYMOUS, "PLAINTEXT",
        Address("client", 4711), 1, 0,
    )  # fmt: skip
    try:
        answer = await handler_of(request.KEY, BROKER[request.KEY])(call, stage.broker)
    except KafkaError as error:
        return error.code
    raise AssertionError(f"{answer!r} is no refusal")
