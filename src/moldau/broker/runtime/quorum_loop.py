"""The metadata quorum of one node: the log, the vote, the controller while it leads, the image.

    events ──► quorum.node.step ──► effects, in order: persist → append → sync → send, answer
    ask    ──► controller.decide ──► one batch ──► sync ──► committed ──► image ──► reply

One task owns everything here. Requests queue up while the disk is being synced, and what has
queued goes into the log together and shares the next sync. A reply leaves when the decision's
records are committed, or, where it has none, when all is committed that it could have seen.

Committed records become the image; subscribers get each change in order. While this node
leads and nothing else is written, a NoOpRecord every half second shows that it can still commit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from moldau.broker.controller.decision import Call
from moldau.broker.metadata.image import Image
from moldau.broker.quorum import effects
from moldau.broker.quorum.events import (
    Event,
    FetchRequested,
    Flushed,
    SnapshotFetched,
    Started,
    StopWanted,
    TimePassed,
)
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.roles import NEVER_MS, Leader
from moldau.broker.quorum.state_file import read_election_state
from moldau.broker.quorum.voters import VoterHistory
from moldau.broker.runtime.quorum.arrivals import Arrivals
from moldau.broker.runtime.quorum.committed import CommittedMetadata, ImageHolder, Subscriber
from moldau.broker.runtime.quorum.hosted_controller import not_controller
from moldau.broker.runtime.quorum.hosting import Hosting
from moldau.broker.runtime.quorum.incoming import IncomingRequests
from moldau.broker.runtime.quorum.leader_changes import LeaderChanges
from moldau.broker.runtime.quorum.log_keeper import LogKeeper
from moldau.broker.runtime.quorum.metadata_log import MetadataLog
from moldau.broker.runtime.quorum.outgoing import OutgoingRequests
from moldau.broker.runtime.quorum.parts import QuorumParts
from moldau.broker.runtime.quorum.snapshotting import Snapshotter
from moldau.broker.runtime.quorum.times import QuorumTimes
from moldau.errors import MoldauError
from moldau.network.outgoing.traffic import Traffic
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Promise, Task
from moldau.platform.wakeable_sleep import WakeableSleep
from moldau.protocol.messages.quorum.begin_quorum_epoch import BeginQuorumEpochRequest
from moldau.protocol.messages.quorum.end_quorum_epoch import EndQuorumEpochRequest
from moldau.protocol.wire.schema import Message

LogChange = effects.BeginEpoch | effects.AppendVoters | effects.AppendFetched | effects.Truncate
"""The effects that write to the metadata log."""


class MetadataQuorum:
    """The quorum, seen by the node; `start` it before anything else."""

    def __init__(self, parts: QuorumParts) -> None:
        self._parts = parts
        self._tasks = parts.tasks
        self._clock = parts.world.clock
        self.times = QuorumTimes(parts.world.clock)
        """How long things take, for metrics."""
        self.when_active: Callable[[], None] = lambda: None
        """Called when the controller here has become the active one."""
        self.leader_changes = LeaderChanges(parts.tasks)
        self._committed = CommittedMetadata()
        self._arrivals = Arrivals()
        self._hosting = Hosting(parts, self._committed, self.times)
        self._waiting: list[tuple[Callable[[Image], bool], Promise[None]]] = []
        self._sleep = WakeableSleep(parts.tasks)
        self._stopping = False
        self._loop: Task | None = None
        self._log: MetadataLog
        self._node: QuorumNode
        self._keeper: LogKeeper
        self._asking: OutgoingRequests
        self._answering: IncomingRequests
        self._snapshotter: Snapshotter

    def __repr__(self) -> str:
        return f"MetadataQuorum({self._node!r}, {self.image!r})"

    # What the node sees.

    @property
    def image(self) -> Image:
        """The committed metadata."""
        return self._committed.image

    @property
    def leader_id(self) -> int:
        """The active controller; -1 while none is known."""
        leader_id = self._node.leader_id
        return -1 if leader_id is None else leader_id

    @property
    def leader_address(self) -> Address | None:
        """Where the active controller listens; None while that is not known."""
        leader_id = self._node.leader_id
        return None if leader_id is None else self._asking.places.of(leader_id, self._node.voters)

    @property
    def other_voters(self) -> list[Address]:
        """Where voters listen that are not this node, as far as that is known."""
        others = self._node.voters.others(self._parts.identity.node_id)
        return [self._asking.places.of_voter(voter) for voter in others if voter.endpoints]

    @property
    def traffic(self) -> Traffic:
        """With the other voters, asked from here."""
        peers = self._parts.peers
        return Traffic() if peers is None or not self.other_voters else peers.traffic

    @property
    def leader_epoch(self) -> int:
        return self._node.epoch

    @property
    def high_watermark(self) -> int:
        return self._node.high_watermark

    @property
    def applied_ms(self) -> int:
        """When the last of what is applied here was written."""
        return self._committed.last_contained_ms

    @property
    def is_active(self) -> bool:
        """Whether the controller here is the one that decides."""
        return self._hosting.is_active

    @property
    def silences_ms(self) -> Mapping[int, int]:
        """How long ago each live broker's last heartbeat came, where the controller is active."""
        return self._hosting.silences_ms()

    @property
    def snapshot_written_ms(self) -> int:
        """When the newest snapshot was written here; at first, when this node began."""
        return self._snapshotter.written_ms

    @property
    def snapshots_loaded(self) -> int:
        """Since the start."""
        return self._committed.snapshots_loaded

    @property
    def node(self) -> QuorumNode:
        """The state machine, to look at."""
        return self._node

    def subscribe(self, subscriber: Subscriber) -> None:
        """Subscribe to every change in order; what is there already comes at once as one change."""
        self._committed.subscribe(subscriber)

    def keep_image_of(self, holder: ImageHolder) -> None:
        """From now on its image is the committed one."""
        self._committed.keep_image_of(holder)

    async def wait_until(self, condition: Callable[[Image], bool]) -> None:
        """Return when the committed image fulfils this."""
        if not condition(self.image):
            promise: Promise[None] = self._tasks.promise()
            self._waiting.append((condition, promise))
            await promise.wait()

    async def ask(self, request: Message, call: Call) -> Message:
        """The controller's answer, once what it decided is committed; or `KafkaError`."""
        promise = self._hosting.ask(request, call, self._node.leader_id)
        self._sleep.wake()
        return await promise.wait()

    def end_session(self, broker_id: int, broker_epoch: int) -> None:
        """The process of a broker has ended; where the controller is not active nothing happens."""
        self._hosting.end_session(broker_id, broker_epoch)
        self._sleep.wake()

    async def answer(self, request: Message, call: Call) -> Message:
        """The quorum's answer to what nodes and tools ask about its log and its members."""
        if isinstance(request, BeginQuorumEpochRequest | EndQuorumEpochRequest):
            self._asking.places.note_announced(request)
        return await self._answering.answer(request, call.version)

    # Beginning and ending.

    async def start(self) -> None:
        """Open the log and begin; where this node votes alone it leads when this returns."""
        self._stopping = True  # until there is something to stop
        self._log = await self._tasks.offload(self._open_log)
        try:
            self._read()
        except MoldauError:
            self._log.close()
            raise
        self._stopping = False
        self._arrivals.add(Started())
        begun: Promise[None] = self._tasks.promise()
        self._loop = self._tasks.spawn("metadata-quorum", self._run(begun))
        await begun.wait()

    async def stop(self) -> None:
        """Resign if this node leads, and close the log in order; once more does nothing."""
        if self._stopping:
            return
        self._stopping = True
        self.leader_changes.end()
        self._post(StopWanted())
        if self._loop is not None:
            await self._loop
        await self._asking.resignations_sent()
        self._hosting.let_go(self._node.leader_id)
        self._answering.close(not_controller(None))
        self._log.close()

    def _read(self) -> None:
        """Know what was known when this node last stopped."""
        parts = self._parts
        self._node = QuorumNode(
            parts.identity.key,
            self._log,
            VoterHistory(parts.voters),
            parts.world.random,
            settings=parts.settings.quorum,
            state=read_election_state(parts.world.files, self._log.log.directory),
            own=parts.identity.as_voter if parts.identity.endpoints else None,
        )
        self._keeper = LogKeeper(parts.world, self._node, self._log, self._committed)
        self._keeper.load(alone_offset=parts.alone_offset, finds_voters=parts.finds_voters)
        self._build_rpc()

    def _open_log(self) -> MetadataLog:
        parts = self._parts
        settings, had = parts.settings.log, parts.known_offset
        log = MetadataLog.open(
            parts.world, parts.log_directory, settings, clean=parts.clean, known_offset=had
        )
        log.log.flush()
        return log

    def _build_rpc(self) -> None:
        parts = self._parts
        self._asking = OutgoingRequests(
            parts.identity,
            parts.peers,
            self._tasks,
            parts.world.random,
            self._post,
            bootstrap=parts.bootstrap,
            timeout_ms=parts.settings.quorum.request_timeout_ms,
            listener=parts.listener,
            fetch_bytes_max=parts.settings.fetch_bytes_max,
            piece_bytes_max=parts.settings.piece_bytes_max,
        )
        self._answering = IncomingRequests(
            parts.identity,
            self._node,
            self._log,
            self._tasks,
            self._post,
            self._clock,
            parts.peers,
        )
        self._snapshotter = Snapshotter(
            parts.settings.snapshots, self._log, self._committed, self._clock.now_ms()
        )

    # The loop.

    async def _run(self, begun: Promise[None]) -> None:
        try:
            await self._work()
        except MoldauError as error:
            begun.fail(error)
            return
        begun.keep(None)
        while not self._stopping or self._arrivals:
            await self._work()
            if not self._stopping:
                await self._sleep.wait(self._idle_ms())

    async def _work(self) -> None:
        """Do what there is to do until nothing is left at this moment."""
        while True:
            is_due = self._node.wake_at_ms <= self.times.now_ms()
            event = self._arrivals.take(is_due=is_due)
            if event is not None:
                await self._step(event)
            elif self._keeper.unsynced:
                await self._sync()
            elif is_due:
                self._arrivals.deadline_seen()
                await self._step(TimePassed())
            elif self._serve():
                if self._hosting.is_deciding:
                    await self._tasks.turn()
            elif self._snapshotter.is_due(self._clock.now_ms()):
                await self._take_snapshot()
            else:
                return

    def _idle_ms(self) -> float | None:
        """How long there is nothing to do; None where only an event can change that."""
        times = [self._node.wake_at_ms, *self._hosting.wake_times_ms(self._keeper.appended_ms)]
        idle_ms = min(times) - self.times.now_ms()
        return idle_ms if idle_ms < NEVER_MS else None

    def _post(self, event: Event) -> None:
        self._arrivals.add(event)
        self._sleep.wake()

    # The state machine and the disk.

    async def _step(self, event: Event) -> None:
        if isinstance(event, SnapshotFetched) and not self._keeper.install_snapshot(event.snapshot):
            return
        if isinstance(event, FetchRequested):
            self._hosting.note_fetch(event.replica.node_id)
        for effect in self._node.step(event, self.times.now_ms()):
            await self._carry_out(effect)

    async def _carry_out(self, effect: effects.Effect) -> None:
        match effect:
            case effects.Persist():
                await self._tasks.offload(self._keeper.persist, effect)
            case effects.Committed():
                self._commit(effect.high_watermark)
            case effects.RoleChanged():
                self._role_changed()
            case effects.Answer() | effects.AnswerFetch():
                self._answering.settle(effect)
            case effects.FetchSnapshot():
                self._asking.fetch_snapshot(effect, self._node.voters, self._log.snapshots)
            case (
                effects.AskVote() | effects.Announce() | effects.EndQuorumEpoch() | effects.Fetch()
            ):
                self._asking.ask(effect, self._node.voters)
            case effects.AskUpdateVoter() | effects.AskAddVoter() | effects.AskRemoveVoter():
                self._asking.ask(effect, self._node.voters)
            case _:
                self._change_log(effect)

    def _change_log(self, effect: LogChange) -> None:
        match effect:
            case effects.BeginEpoch() | effects.AppendVoters():
                self._keeper.append_control(effect)
                self._hosting.skip_to(self._log.end.offset)
            case effects.AppendFetched():
                before = self._log.end.offset
                self._keeper.append_fetched(effect)
                self.times.fetched += self._log.end.offset - before
            case effects.Truncate():
                self._keeper.truncate(effect.offset)
            case _:
                assert_never(effect)
        self._answering.wake()

    async def _sync(self) -> None:
        """What was appended reaches the disk, and the state machine gets that as an event."""
        self._keeper.unsynced = False
        end_offset = self._log.end.offset
        work = self._log.begin_flush()
        await self._tasks.offload(work.sync)
        self._log.finish_flush(work)
        await self._step(Flushed(end_offset))

    # What is committed.

    def _commit(self, high_watermark: int) -> None:
        is_news = self._log.log.high_watermark < self._log.news_end
        self._log.log.high_watermark = high_watermark
        began_ns = self.times.now_ns()
        records = self._committed.commit(high_watermark)
        self.times.applied(began_ns, records)
        self._log.note_committed(high_watermark)
        self._hosting.committed(high_watermark)
        if self._hosting.begin_if_due(self._node, self._log, self._keeper):
            self.when_active()
            self._keeper.appended()
        if is_news:
            self._answering.wake()
        self._wake_waiters()

    def _wake_waiters(self) -> None:
        waiting, self._waiting = self._waiting, []
        for condition, promise in waiting:
            if condition(self.image):
                promise.keep(None)
            else:
                self._waiting.append((condition, promise))

    async def _take_snapshot(self) -> None:
        now_ms, node = self._clock.now_ms(), self._node
        voters = node.voter_history.at(self.image.offset + 1)
        await self._snapshotter.take(self._tasks, voters, node.kraft_version, now_ms)
        self._snapshotter.trim(now_ms)

    # The controller.

    def _role_changed(self) -> None:
        self.times.role_changed(self._node.role)
        self.leader_changes.changed(self._node, self.leader_address, lambda: self._asking.troubles)
        if not isinstance(self._node.role, Leader):
            self._hosting.let_go(self._node.leader_id)
        self._answering.wake()

    def _serve(self) -> bool:
        """Let the controller decide what is asked and due; returns whether anything was written."""
        wrote = self._hosting.serve(self._node.high_watermark, self._keeper.appended_ms)
        if wrote:
            self._keeper.appended()
            self._answering.wake()
        return wrote or self._hosting.has_work
