"""A shard that counts: small enough to see what the runtime does with it.

`add` writes a record, `pending` in a transaction; what is joined may share a batch. `wait` is
answered by the next `tick` that it sets, `quietly` says nothing, `refuse` raises, anything else is
a look. Answers carry the count as an error code.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from moldau.broker.coordinator.encoded_decision import EncodedDecision, Pair, Ticket
from moldau.broker.coordinator.record_codec import GROUP_RECORDS, encode_stored
from moldau.broker.coordinator.shard import NOTHING, Decision, Reply, RequestContext, StoredRecord
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.runtime.running_shard import UNKNOWN_CLIENT
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.errors import KafkaError
from moldau.platform.simulated.tasks import SimulatedTasks
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest, HeartbeatResponse
from moldau.protocol.messages.stored.offsets import OffsetCommitKey, OffsetCommitValue
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message
from tests.broker.replica.broker_world import Broker

TOPIC = "__consumer_offsets"
WAIT_MS = 500
FAILED, GONE = 77, 78


def answer(code: int) -> HeartbeatResponse:
    return HeartbeatResponse(throttle_time_ms=0, error_code=code)


def say(word: str) -> Message:
    return HeartbeatRequest(group_id="g", generation_id=0, member_id=word)


def record(number: int) -> StoredRecord:
    value = OffsetCommitValue(offset=number, metadata="", commit_timestamp=0)
    return StoredRecord(OffsetCommitKey(group="g", topic="t", partition=number), value, 3)


class TallyShard:
    """Counts the records that were applied."""

    def __init__(self) -> None:
        self.applied: list[int] = []
        self.pending: list[int] = []
        self.waiting: list[Ticket] = []
        self.wake_ms: int | None = None
        self.images: list[object] = []
        self.padding = 0
        """Bytes of the values of records that are joined, if they are to be large."""

    def apply(self, record: StoredRecord, offset: int, now_ms: int) -> None:
        self.applied.append(offset)

    def apply_pending(
        self, record: StoredRecord, producer_id: int, offset: int, now_ms: int
    ) -> None:
        self.pending.append(offset)

    def apply_marker(self, producer_id: int, is_commit: bool) -> None:
        self.applied += self.pending if is_commit else []
        self.pending = []

    def loaded(self, now_ms: int) -> Decision:
        return NOTHING

    def decide(self, request: Any, asking: RequestContext, now_ms: int) -> Decision:
        count = len(self.applied)
        match request.member_id:
            case "add" | "pending" as word:
                return Decision(
                    [record(count)],
                    [Reply(asking.ticket, answer(count + 1))],
                    effects=[f"added {count}"],
                    failed=lambda code: [Reply(asking.ticket, answer(FAILED))],
                    producer=(9, 0) if word == "pending" else None,
                )
            case "wait":
                self.waiting.append(asking.ticket)
                self.wake_ms = now_ms + WAIT_MS
                return NOTHING
            case "quietly":
                return NOTHING
            case "refuse":
                raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID, "unknown")
            case _:
                return Decision(replies=[Reply(asking.ticket, answer(count))])

    def decide_joined(self, request: object, now_ms: int) -> EncodedDecision:
        count = len(self.applied)
        key, value = encode_stored(record(count))
        pairs: list[Pair] = [(key, bytes(self.padding) or value)]

        def apply(first_offset: int, now_ms: int) -> None:
            self.applied += range(first_offset, first_offset + len(pairs))

        return EncodedDecision(OffsetCommitKey, pairs, answer(count + 1), apply)

    def tick(self, now_ms: int) -> Decision:
        self.wake_ms = None
        return Decision(replies=[Reply(ticket, answer(now_ms % 1000)) for ticket in self.waiting])

    def wake_at_ms(self) -> int | None:
        return self.wake_ms

    def metadata_changed(self, delta: object, image: object, now_ms: int) -> Decision:
        self.images.append(image)
        return NOTHING

    def unloaded(self) -> list[Reply]:
        return [Reply(ticket, answer(GONE)) for ticket in self.waiting]


class TallyRuntime:
    """A runtime of tally shards on a broker with one partition of the topic."""

    def __init__(self, broker: Broker, manager: ReplicaManager, tasks: SimulatedTasks) -> None:
        self.broker = broker
        self.manager = manager
        self.tasks = tasks
        self.effects: list[object] = []
        self.shards: list[TallyShard] = []
        self.runtime = ShardRuntime(
            TOPIC,
            lambda: 1,
            self._make,
            GROUP_RECORDS,
            manager,
            broker.clock,
            tasks,
            on_effect=lambda index, effect: self.effects.append(effect),
        )
        manager.listen(self.runtime.on_leading, self.runtime.on_leaving)

    def _make(self, index: int) -> TallyShard:
        self.shards.append(TallyShard())
        return self.shards[-1]

    async def settled(self) -> None:
        """Wait until nothing is being loaded, or made ready for it."""
        await self.manager.settled()
        while self.runtime.is_loading:
            await self.tasks.sleep(1)

    async def ask(self, word: str) -> int:
        response = await self.runtime.ask("g", say(word), version=4)
        assert isinstance(response, HeartbeatResponse)
        return response.error_code

    def start(self, word: str) -> list[int]:
        """Ask in the background; the answer is in the list when it is there."""
        codes: list[int] = []

        async def ask() -> None:
            try:
                codes.append(await self.ask(word))
            except KafkaError as error:
                codes.append(error.code)

        self.tasks.spawn(word, ask())
        return codes

    def join(self, client: int = UNKNOWN_CLIENT) -> list[int]:
        """Add a record that may share a batch; the answer is in the list when it is there."""
        codes: list[int] = []

        def answered(answer: Message | KafkaError) -> None:
            codes.append(answer.code if isinstance(answer, KafkaError) else answer.error_code)  # type: ignore[attr-defined]  # a heartbeat's

        try:
            response = self.runtime.join("g", "one more", client, answered)
        except KafkaError as error:
            answered(error)
        else:
            if response is not None:
                answered(response)
        return codes

    async def refusal(self, asked: Awaitable[object]) -> int:
        try:
            await asked
        except KafkaError as error:
            return error.code
        return 0


def result_of(
    scene: Callable[[TallyRuntime], Coroutine[Any, Any, Any]],
    broker: Broker | None = None,
    **assigned: Any,
) -> Any:
    """Run a scene on a broker that leads the topic's only partition."""
    stage = broker or Broker()
    if not stage.image.topics.by_id:
        stage.add_topic(None, TOPIC[:16], **assigned)
        topic = next(iter(stage.image.topics.by_id.values()))
        topic.name = TOPIC

    async def main(manager: ReplicaManager, tasks: SimulatedTasks) -> Any:
        one = TallyRuntime(stage, manager, tasks)
        await one.settled()
        return await scene(one)

    return stage.run(main)
