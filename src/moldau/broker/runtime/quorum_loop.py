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

from collections import deque
from collections.abc import Callable
from importlib import import_module
from typing import assert_never

from moldau.broker.controller.decision import Call
from moldau.broker.metadata.activation import empty_log_records, takeover_records
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
from moldau.broker.runtime.quorum.hosted_controller import (
    ASKS_MAX,
    Ask,
    HostedController,
    not_controller,
)
from moldau.broker.runtime.quorum.incoming import IncomingRequests
from moldau.broker.runtime.quorum.log_keeper import LogKeeper, read_bootstrap_records
from moldau.broker.runtime.quorum.metadata_log import MetadataLog
from moldau.broker.runtime.quorum.outgoing import OutgoingRequests
from moldau.broker.runtime.quorum.parts import QuorumParts
from moldau.broker.runtime.quorum.snapshotting import Snapshotter
from moldau.broker.runtime.quorum.times import QuorumTimes
from moldau.errors import KafkaError, MoldauError
from moldau.network.outgoing.traffic import Traffic
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Promise, Task, Timer
from moldau.platform.wakeable_sleep import WakeableSleep
from moldau.protocol.messages.quorum.begin_quorum_epoch import BeginQuorumEpochRequest
from moldau.protocol.messages.quorum.end_quorum_epoch import EndQuorumEpochRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

LEADERLESS = "moldau.broker.runtime.quorum.leaderless"
"""Imported when an election may have taken too long."""
LEADERLESS_MS = 5_000
"""An election takes less than a second, and a slow machine some more."""
LogChange = effects.BeginEpoch | effects.AppendVoters | effects.AppendFetched | effects.Truncate
"""The effects that write to the metadata log."""


class MetadataQuorum:
    """The quorum, seen by the node; `start` it before anything else."""

    def __init__(self, parts: QuorumParts) -> None:
        self._parts = parts
        self._tasks = parts.tasks
        self._clock = parts.world.clock
        self.times = QuorumTimes(parts.world.clock)
        """How long things take, for those who read metrics."""
        self.when_active: Callable[[], None] = lambda: None
        """Called when the controller here has become the active one."""
        self.when_leader_lost: Callable[[Address], None] = lambda address: None
        """Called with where the active controller was, when it is not the leader any more."""
        self._leader_was: Address | None = None
        self._committed = CommittedMetadata()
        self._arrivals = Arrivals()
        self._asks: deque[Ask] = deque()
        self._hosted: HostedController | None = None
        self._waiting: list[tuple[Callable[[Image], bool], Promise[None]]] = []
        self._sleep = WakeableSleep(parts.tasks)
        self._stopping = False
        self._leader_timer: Timer | None = None
        self._is_leaderless = False
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
        return self._hosted is not None

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
        if self._hosted is None:
            raise not_controller(self._node.leader_id)
        if len(self._asks) >= ASKS_MAX:
            raise KafkaError(
                ErrorCode.REQUEST_TIMED_OUT, f"{ASKS_MAX} requests wait for the controller already"
            )
        promise: Promise[Message] = self._tasks.promise()
        self._asks.append(Ask(request, call, promise, self.times.now_ns()))
        self._sleep.wake()
        return await promise.wait()

    def end_session(self, broker_id: int, broker_epoch: int) -> None:
        """The process of a broker has ended; where the controller is not active nothing happens."""
        if self._hosted is not None:
            self._hosted.controller.end_session(broker_id, broker_epoch)
            self._sleep.wake()

    async def answer(self, request: Message, call: Call) -> Message:
        """The quorum's answer to what nodes and tools ask about its log and its members."""
        if isinstance(request, BeginQuorumEpochRequest | EndQuorumEpochRequest):
            self._asking.places.learn(request)
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
        if self._leader_timer is not None:
            self._leader_timer.cancel()
        self._post(StopWanted())
        if self._loop is not None:
            await self._loop
        await self._asking.resignations_sent()
        self._let_go_of_controller()
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
        self._snapshotter = Snapshotter(parts.settings.snapshots, self._log, self._committed)

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
                if self._hosted is not None and self._hosted.is_deciding():
                    await self._tasks.turn()
            elif self._snapshotter.is_due(self._clock.now_ms()):
                await self._take_snapshot()
            else:
                return

    def _idle_ms(self) -> float | None:
        """How long there is nothing to do; None where only an event can change that."""
        times = [self._node.wake_at_ms - self.times.now_ms()]
        if self._hosted is not None:
            now_ms = self.times.now_ms()
            wake_at_ms = self._hosted.controller.wake_at_ms()
            if wake_at_ms is not None:
                times.append(wake_at_ms - now_ms)
            if self._parts.settings.max_idle_ms:
                times.append(self._keeper.appended_ms + self._parts.settings.max_idle_ms - now_ms)
        idle_ms = min(times)
        return idle_ms if idle_ms < NEVER_MS else None

    def _post(self, event: Event) -> None:
        self._arrivals.add(event)
        self._sleep.wake()

    # The state machine and the disk.

    async def _step(self, event: Event) -> None:
        if isinstance(event, SnapshotFetched) and not self._keeper.install_snapshot(event.snapshot):
            return
        if self._hosted is not None and isinstance(event, FetchRequested):
            self._hosted.controller.note_fetch(event.replica.node_id, self.times.now_ms())
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
                if self._hosted is not None:
                    self._hosted.controller.skip_to(self._log.end.offset)
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
        self._committed.commit(high_watermark)
        self._log.note_committed(high_watermark)
        if self._hosted is not None:
            self._hosted.committed(high_watermark)
        self._activate_if_due()
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
        leader_was, self._leader_was = self._leader_was, self.leader_address
        if leader_was is not None and leader_was != self._leader_was:
            self.when_leader_lost(leader_was)
        if not isinstance(self._node.role, Leader):
            self._let_go_of_controller()
        self._answering.wake()
        self._expect_leader()

    def _expect_leader(self) -> None:
        """Some seconds from now there should be one; where there is none, the log has a line."""
        if self._leader_timer is None and not self._stopping:
            self._leader_timer = self._tasks.after(LEADERLESS_MS, self._look_for_leader)

    def _look_for_leader(self) -> None:
        self._leader_timer = None
        leaderless = import_module(LEADERLESS)
        self._is_leaderless = leaderless.report(
            self._node, self._asking.troubles, LEADERLESS_MS, is_reported=self._is_leaderless
        )
        if self._is_leaderless:
            self._expect_leader()

    def _let_go_of_controller(self) -> None:
        hosted, self._hosted = self._hosted, None
        if hosted is not None:
            hosted.close(self._node.leader_id)
        while self._asks:
            self._asks.popleft().promise.fail(not_controller(self._node.leader_id))

    def _activate_if_due(self) -> None:
        """A leader decides when all that was written before it is in its image."""
        role, make = self._node.role, self._parts.make_controller
        if self._hosted is not None or make is None or not isinstance(role, Leader):
            return
        if self._node.high_watermark <= role.start_offset:
            return
        pending, raise_version = self._committed.pending, self._keeper.raise_version
        self._hosted = HostedController(
            make(self.image), role.epoch, self._log, pending, deque(), raise_version, self.times
        )
        wall_ms, former = self._clock.now_ms(), self._node.leader_answered
        self._hosted.activate(self._first_records(), wall_ms, former)
        self.when_active()
        self._keeper.appended()

    def _first_records(self) -> list[Message]:
        if self.image.features.metadata_version or self._committed.in_transaction:
            return takeover_records(in_transaction=self._committed.in_transaction)
        bootstrap = read_bootstrap_records(self._parts.world.files, self._parts.log_directory)
        return empty_log_records(bootstrap, self._parts.settings.min_insync_replicas)

    def _serve(self) -> bool:
        """Let the controller decide what is asked and due; returns whether anything was written."""
        hosted = self._hosted
        if hosted is None:
            return False
        idle_ms = self._parts.settings.max_idle_ms
        is_idle = bool(idle_ms) and self.times.now_ms() - self._keeper.appended_ms >= idle_ms
        high_watermark = self._node.high_watermark
        wall_ms = self._clock.now_ms()
        wrote = hosted.serve_all(self._asks, high_watermark, wall_ms, is_idle=is_idle)
        if wrote:
            self._keeper.appended()
            self._answering.wake()
        return wrote or bool(self._asks) or hosted.is_deciding()
