"""A node's quorum on a virtual disk and a virtual clock, with a controller that only counts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any

from moldau.broker.controller.decision import Call, Deciding, Decision, RaisedVersion
from moldau.broker.log.world import World
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.quorum.voters import Voter, VoterSet
from moldau.broker.runtime.quorum.membership import Identity
from moldau.broker.runtime.quorum.parts import QuorumLoopSettings, QuorumParts
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.errors import KafkaError
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.tasks import SimulatedTasks, run
from moldau.platform.slices import SLICE_NS
from moldau.protocol.messages.cluster.update_features import (
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
)
from moldau.protocol.messages.stored.metadata_cluster import NoOpRecord
from moldau.protocol.messages.stored.metadata_topics import TopicRecord
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

CALL = Call(version=0)
DIRECTORY_ID = b"d" * 16
ENDPOINT = {"CONTROLLER": Address("localhost", 9093)}
IDENTITY = Identity(1, DIRECTORY_ID, "cluster", ENDPOINT)
STATIC_VOTERS = VoterSet([Voter(IDENTITY.key._replace(directory_id=bytes(16)), ENDPOINT)])
LOG_DIRECTORY = "/data"


LONG = "long"
"""The name of a topic that takes long to decide about."""


class TopicController:
    """Creates a topic for each DeleteTopicsRequest, the shortest of all requests with names."""

    def __init__(self, image: Image, clock: SimulatedClock | None = None) -> None:
        self.image = image
        self.next_offset = image.offset + 1
        self.activated = False
        self.is_atomic = True
        self.kraft_version = 0
        self.clock = clock or SimulatedClock()
        self.pauses = 0
        self.tick_at_ms: int | None = None
        self.tick_records: Sequence[Message] = ()
        self.silences: dict[int, int] = {}
        self.fetched: list[int] = []
        """Who has fetched the metadata."""

    def activate(self, now_ms: int, former_leader: tuple[int, int] | None = None) -> None:
        self.activated = True

    def silences_ms(self, now_ms: int) -> dict[int, int]:
        return self.silences

    def skip_to(self, next_offset: int) -> None:
        self.next_offset = max(self.next_offset, next_offset)

    def set_kraft_version(self, level: int) -> None:
        self.kraft_version = level

    def decide(
        self, request: Message, call: Call, now_ms: int, wall_ms: int
    ) -> Decision | Deciding:
        if isinstance(request, CreateTopicsRequest):
            raise KafkaError(ErrorCode.POLICY_VIOLATION, "this controller makes no topics so")
        if isinstance(request, UpdateFeaturesRequest):
            (update,) = request.feature_updates
            raised = RaisedVersion(update.max_version_level, only_checks=request.validate_only)
            response = UpdateFeaturesResponse(
                error_code=0, error_message=None, throttle_time_ms=0, results=[]
            )
            noted = [] if request.validate_only else [NoOpRecord()]
            return Decision(noted, response, kraft_version=raised)
        assert isinstance(request, DeleteTopicsRequest)
        if request.topic_names == [LONG]:
            return self._decide_long()
        return self.created(request)

    def _decide_long(self) -> Deciding:
        """For as long as the test likes."""
        while self.pauses:
            self.pauses -= 1
            self.clock.advance_ns(SLICE_NS)
            yield
        return self.created(topics(LONG))

    def created(self, request: DeleteTopicsRequest) -> Decision:
        """A topic for each name."""
        records = [
            TopicRecord(name=name, topic_id=name.encode().ljust(16, b"-"))
            for name in request.topic_names
        ]
        throttle_ms = len(self.image.topics.by_name)
        reply = DeleteTopicsResponse(throttle_time_ms=throttle_ms, responses=[])
        return Decision(records, reply, is_atomic=self.is_atomic)

    def apply(self, records: Sequence[Message], last_offset: int, epoch: int, now_ms: int) -> None:
        delta = Delta(self.image)
        for record in records:
            delta.apply(record)
        delta.advance(last_offset, epoch)
        self.image = delta.build()
        self.skip_to(last_offset + 1)

    def tick(self, now_ms: int, wall_ms: int) -> Decision:
        self.tick_at_ms = None
        return Decision(self.tick_records)

    def wake_at_ms(self) -> int | None:
        return self.tick_at_ms

    def note_fetch(self, node_id: int, now_ms: int) -> None:
        self.fetched.append(node_id)

    def end_session(self, broker_id: int, broker_epoch: int) -> None:
        """It knows no brokers."""


def topics(*names: str) -> DeleteTopicsRequest:
    """What to ask the controller for these topics."""
    return DeleteTopicsRequest(topic_names=list(names), timeout_ms=0)


def raised(level: int, *, only_checks: bool = False) -> UpdateFeaturesRequest:
    """What to ask the controller for another kraft.version."""
    update = UpdateFeaturesRequest.FeatureUpdateKey(
        feature="kraft.version", max_version_level=level, upgrade_type=1
    )
    return UpdateFeaturesRequest(feature_updates=[update], validate_only=only_checks)


class OneNode:
    """The world of one node, which may be started several times."""

    def __init__(self, voters: VoterSet = STATIC_VOTERS, **settings: Any) -> None:
        self.files = SimulatedFiles()
        self.clock = SimulatedClock()
        self.files.make_directory(LOG_DIRECTORY)
        self.files.sync_directory("/")
        self.voters = voters
        self.settings = QuorumLoopSettings(**settings)
        self.controllers: list[TopicController] = []
        self.changes: list[tuple[Delta, Image]] = []
        self.clean = False

    def make_controller(self, image: Image) -> TopicController:
        self.controllers.append(TopicController(image, self.clock))
        return self.controllers[-1]

    def quorum(self, tasks: SimulatedTasks) -> MetadataQuorum:
        world = World(self.files, self.clock, Random(7))
        return MetadataQuorum(
            QuorumParts(
                identity=IDENTITY,
                log_directory=LOG_DIRECTORY,
                world=world,
                tasks=tasks,
                settings=self.settings,
                voters=self.voters,
                make_controller=self.make_controller,
                clean=self.clean,
            )
        )

    def run(self, scene: Callable[[MetadataQuorum, SimulatedTasks], Awaitable[Any]]) -> Any:
        """Start, let the scene happen, stop; what the scene returns."""

        async def main(tasks: SimulatedTasks) -> Any:
            quorum = self.quorum(tasks)
            quorum.subscribe(lambda delta, image: self.changes.append((delta, image)))
            await quorum.start()
            result = await scene(quorum, tasks)
            await quorum.stop()
            return result

        return run(main, self.clock)
