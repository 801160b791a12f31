"""Several members of a quorum with virtual clock, links and disks, from one seed.

Messages take their time, get lost, or do not pass at all; nodes crash with what they had not
synced and come back; synced is what took the time that a disk takes. After every event the ledger
is asked whether a promise was broken.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

from moldau.broker.quorum import effects as wants
from moldau.broker.quorum.events import (
    AddVoterAsked,
    FetchAnswered,
    FetchRequested,
    Flushed,
    LeaderAnnounced,
    LeaderResigned,
    RemoveVoterAsked,
    SnapshotFetched,
    SnapshotPieceFetched,
    SnapshotRequested,
    Started,
    TimePassed,
    Unreachable,
    VoteAnswered,
    VoterAnswered,
    VoteRequested,
)
from moldau.broker.quorum.following import comes_late
from moldau.broker.quorum.member import QuorumSettings
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.roles import Follower, Leader
from moldau.broker.quorum.state_file import ElectionState
from moldau.broker.quorum.voters import ReplicaKey, Voter, VoterHistory, VoterSet
from moldau.platform.ports.network import Address
from moldau.protocol.wire.error_codes import ErrorCode
from tests.simulation.quorum_log import Entry, Ledger, MemoryLog, Snapshot, pack, unpack

FETCH_WAIT_MS = 500
"""How long a leader keeps a fetch that finds nothing."""
FETCH_ENTRIES_MAX = 5
SYNC_MS_MAX = 20
SLOW_SYNC_MS_MAX = 2000
SLOW_SYNCS = 0.2
"""How often the disk takes its time: between append and sync is where crashes hurt."""
DELAY_MS_MAX = 30
LOAD_MS_MAX = 300
"""Of a snapshot: another leader may be there, and have sent records, when it is done."""
TRIMS = 0.5
"""How often the log before a snapshot goes."""
OUTAGE_MS_MAX = 10
"""After a strike: what was decided before it is still on its way when the node is back."""


class Machine:
    """A node with its disk; `node` is None while it is down."""

    fetch_wait_ms = FETCH_WAIT_MS // 10
    """A tenth, so that more happens."""

    def __init__(self, cluster: Cluster, key: ReplicaKey) -> None:
        self.cluster = cluster
        self.key = key
        self.log = MemoryLog()
        self.state: ElectionState | None = None
        self.node: Any = None
        self.life = 0
        self.tickets: dict[int, Callable[[Any], None]] = {}
        self.acknowledge: list[tuple[int, str]] = []
        self.next_ticket = 0

    def start(self) -> None:
        self.life += 1
        self.log.open()
        history = self.voter_history()
        self.node = QuorumNode(
            self.key,
            self.log,
            history,
            self.cluster.random,
            state=self.state,
            settings=self.cluster.settings,
            kraft_version=self.cluster.kraft_version,
        )
        self.tickets.clear()
        self.acknowledge.clear()
        self.step(Started())

    def voter_history(self) -> VoterHistory:
        """Of the newest snapshot, and of the log behind it."""
        history, start = VoterHistory(self.cluster.configured), 0
        if self.log.snapshots:
            newest = self.log.snapshots[-1]
            start = newest.id.end_offset
            if newest.voters is not None:
                history.restart(newest.voters, start - 1)
        for offset, entry in enumerate(self.log.entries[start:], start):
            if entry.voters is not None:
                history.add(offset, entry.voters)
        return history

    def crash(self) -> None:
        self.node = None
        self.log.crash(self.cluster.random.random())

    def restart_soon(self) -> None:
        """It crashes, with some of what it was about to do undone."""
        self.crash()
        delay_ms = self.cluster.random.randrange(1, OUTAGE_MS_MAX)
        self.cluster.after(delay_ms, lambda: self.start() if self.node is None else None)

    def step(self, event: Any) -> None:
        node = self.node
        if node is None:
            return
        epoch = node.epoch
        for effect in node.step(event, self.cluster.now_ms):
            self.do(effect)
            if self.cluster.random.random() < self.strikes_after(effect):
                self.restart_soon()
                return
        assert node.epoch >= epoch
        if node.wake_at_ms < float("inf"):
            wake_ms = max(int(node.wake_at_ms), self.cluster.now_ms + 1)
            self.later(wake_ms - self.cluster.now_ms, self.tick)

    def strikes_after(self, effect: Any) -> float:
        is_vote = isinstance(effect, wants.Answer) and effect.granted
        return max(self.cluster.strikes, self.cluster.strikes_after_votes * is_vote)

    def tick(self) -> None:
        if self.node is not None and self.node.wake_at_ms <= self.cluster.now_ms:
            self.step(TimePassed())

    def later(self, delay_ms: int, action: Callable[[], None]) -> None:
        """In this life of the machine only."""
        life = self.life
        self.cluster.after(
            delay_ms, lambda: action() if self.life == life and self.node is not None else None
        )

    # Effects.

    def do(self, effect: Any) -> None:
        match effect:
            case wants.Persist(state=state):
                self.state = state
            case wants.RoleChanged():
                self.acknowledge.clear()
                if effect.role == "leader":
                    self.cluster.ledger.leads(effect.epoch, self.key.node_id)
                    self.cluster.when_leading(self)
            case wants.Committed(high_watermark=offset):
                self.committed(offset)
            case wants.Answer() | wants.AnswerFetch():
                self.tickets.pop(effect.ticket, lambda answer: None)(effect)
            case wants.FetchSnapshot():
                self.load(effect)
            case wants.AskVote() | wants.Announce() | wants.EndQuorumEpoch() | wants.Fetch():
                self.ask(effect)
            case _:
                self.change_log(effect)

    def change_log(self, effect: Any) -> None:
        match effect:
            case wants.BeginEpoch():
                self.append(Entry(effect.epoch, "leads"))
                if effect.voters_to_write is not None:
                    self.append_voters(effect.epoch, effect.voters_to_write)
            case wants.AppendVoters():
                self.append_voters(effect.epoch, effect.voters)
            case wants.AppendFetched():
                self.append_fetched(effect)
            case wants.Truncate(offset=offset):
                self.log.truncate(offset)
                self.node.voter_history.truncate(offset)
            case _:
                raise AssertionError(f"not carried out: {effect}")

    def append(self, entry: Entry) -> None:
        self.log.entries.append(entry)
        self.sync_later()

    def append_voters(self, epoch: int, voters: VoterSet) -> None:
        self.node.voter_history.add(self.log.end.offset, voters)
        text = f"voters {sorted(voters.ids)}"
        self.cluster.voters_by_text[text] = voters
        self.append(Entry(epoch, text, voters))

    def append_fetched(self, effect: wants.AppendFetched) -> None:
        for entry in unpack(bytes(effect.records)):
            source = self.cluster.voters_by_text.get(entry.value)
            if source is not None:
                self.node.voter_history.add(self.log.end.offset, source)
                entry.voters = source
            self.log.entries.append(entry)
        self.sync_later()

    def sync_later(self) -> None:
        end = self.log.end.offset
        random = self.cluster.random
        slowest = SLOW_SYNC_MS_MAX if random.random() < SLOW_SYNCS else SYNC_MS_MAX
        cuts = self.log.cuts
        self.later(
            random.randrange(1, slowest),
            lambda: self.synced(end) if cuts == self.log.cuts else None,
        )

    def synced(self, end: int) -> None:
        self.log.synced = max(self.log.synced, end)
        self.step(Flushed(self.log.synced))

    def committed(self, offset: int) -> None:
        ledger = self.cluster.ledger
        ledger.commits(self.key.node_id, self.log, offset)
        if isinstance(self.node.role, Leader):
            ledger.acknowledged.extend(one for one in self.acknowledge if one[0] < offset)
            self.acknowledge = [one for one in self.acknowledge if one[0] >= offset]

    # Snapshots.

    def take_snapshot(self) -> None:
        """Of what it knows to be committed; half of the time the log before it goes."""
        if self.node is not None and self.node.high_watermark > 0:
            offset = self.node.high_watermark
            voters = self.node.voter_history.at(offset) if self.node.kraft_version else None
            self.log.take_snapshot(offset, voters)
            if self.cluster.random.random() < TRIMS:
                self.log.trim()

    def load(self, wanted: wants.FetchSnapshot) -> None:
        """Ask for all of it at once; it takes its time to come, and to be written."""
        random, life = self.cluster.random, self.life
        source = self.cluster.machines[wanted.to]
        is_waiting = True

        def came(snapshot: Snapshot | None) -> None:
            nonlocal is_waiting
            if self.life != life or not is_waiting:
                return
            is_waiting = False
            if snapshot is None:
                self.step(Unreachable(wanted.to))
                return
            self.step(SnapshotPieceFetched(wanted.to, wanted.epoch))
            self.later(random.randrange(1, LOAD_MS_MAX), lambda: self.written(snapshot))

        def give() -> None:
            if source.node is not None:
                found = source.snapshot(wanted, self.key)
                self.cluster.send(wanted.to, self.key.node_id, lambda: came(found))

        self.cluster.send(self.key.node_id, wanted.to, give)
        self.later(self.cluster.settings.request_timeout_ms, lambda: came(None))

    def snapshot(self, wanted: wants.FetchSnapshot, who: ReplicaKey) -> Snapshot | None:
        """One of this node's, if it still leads in that epoch."""
        if not isinstance(self.node.role, Leader) or self.node.epoch != wanted.epoch:
            return None
        self.step(SnapshotRequested(who, wanted.epoch))
        return next((one for one in self.log.snapshots if one.id == wanted.snapshot), None)

    def written(self, snapshot: Snapshot) -> None:
        """All of it is on the disk; it is in force a moment later."""
        self.log.loaded.append(snapshot)
        self.later(1, lambda: self.begin_behind(snapshot))

    def begin_behind(self, snapshot: Snapshot) -> None:
        if comes_late(self.node, snapshot.id):
            return
        self.log.begin_behind(snapshot)
        if snapshot.voters is not None:
            self.node.voter_history.restart(snapshot.voters, snapshot.id.end_offset - 1)
        self.step(SnapshotFetched(snapshot.id))

    # Messages.

    def ask(self, question: Any) -> None:
        to = question.to if isinstance(question, wants.Fetch) else question.to.node_id
        if to is None:
            others = [one for one in self.cluster.machines if one != self.key.node_id]
            to = others[self.cluster.random.randrange(0, len(others))]
        machine = self.cluster.machines.get(to)
        if machine is None:
            return
        life = self.life

        def back(answer: Any) -> None:
            answered = event_from(question, machine, answer)
            self.cluster.send(
                to, self.key.node_id, lambda: self.step(answered) if self.life == life else None
            )

        self.cluster.send(self.key.node_id, to, lambda: machine.asked(question, self.key, back))

    def asked(self, question: Any, who: ReplicaKey, back: Callable[[Any], None]) -> None:
        if self.node is not None:
            self.step(event_for(question, who, self.ticket_for(question, back)))

    def ticket_for(self, question: Any, back: Callable[[Any], None]) -> int:
        """Under which the node answers."""
        self.next_ticket += 1
        ticket = self.next_ticket
        self.tickets[ticket] = back
        if isinstance(question, wants.Fetch):
            self.tickets[ticket] = lambda verdict: self.answer_fetch(question, verdict, back)
        return ticket

    def answer_fetch(
        self, question: wants.Fetch, verdict: wants.AnswerFetch, back: Callable[[Any], None]
    ) -> None:
        waits = verdict.error is ErrorCode.NONE and verdict.diverging is None
        waits = waits and verdict.snapshot is None
        if waits and question.log_end.offset >= self.log.end.offset:
            self.later(self.fetch_wait_ms, lambda: back(verdict))
        else:
            back(verdict)


def event_for(question: Any, who: ReplicaKey, ticket: int) -> Any:
    match question:
        case wants.AskVote():
            return VoteRequested(
                ticket, who, question.epoch, question.log_end, question.pre_vote, question.to
            )
        case wants.Announce():
            return LeaderAnnounced(ticket, who.node_id, question.epoch, question.to)
        case wants.EndQuorumEpoch():
            successors = tuple(key.node_id for key in question.successors)
            return LeaderResigned(ticket, who.node_id, question.epoch, successors)
        case wants.Fetch():
            end = question.log_end
            return FetchRequested(ticket, who, question.epoch, end.offset, end.epoch)
        case _:
            raise AssertionError(f"not answered: {question}")


def event_from(question: Any, machine: Machine, answer: Any) -> Any:
    node_id = machine.key.node_id
    match question:
        case wants.AskVote():
            return VoteAnswered(
                node_id,
                question.pre_vote,
                question.epoch,
                answer.epoch,
                answer.leader_id,
                answer.granted,
            )
        case wants.Announce() | wants.EndQuorumEpoch():
            accepted = answer.error is ErrorCode.NONE
            return VoterAnswered(node_id, answer.epoch, answer.leader_id, accepted)
        case wants.Fetch():
            return fetched(question, machine, answer)
        case _:
            raise AssertionError(f"not answered: {question}")


def fetched(question: wants.Fetch, machine: Machine, answer: wants.AnswerFetch) -> FetchAnswered:
    """With the records of now, as long as the node that answers still leads."""
    node = machine.node
    still = node is not None and isinstance(node.role, Leader) and node.epoch == answer.epoch
    succeeded = answer.error is ErrorCode.NONE and still
    start = question.log_end.offset
    entries = machine.log.entries[start : start + machine.cluster.fetch_entries_max]
    sends = succeeded and answer.diverging is None and answer.snapshot is None
    sends = sends and start >= machine.log.start_offset
    return FetchAnswered(
        machine.key.node_id,
        question.log_end,
        question.number,
        answer.epoch,
        answer.leader_id,
        succeeded,
        node.high_watermark if succeeded else -1,
        answer.diverging,
        answer.snapshot,
        pack(entries) if sends and entries else None,
    )


class Cluster:
    """All machines and what is between them."""

    machine: type[Machine] = Machine

    def __init__(
        self,
        seed: int,
        voters: int = 3,
        observers: int = 0,
        kraft_version: int = 0,
        settings: QuorumSettings | None = None,
    ) -> None:
        self.random = Random(seed)
        self.now_ms = 1000
        self.ledger = Ledger()
        self.kraft_version = kraft_version
        self.settings = settings or QuorumSettings()
        self.fetch_entries_max = FETCH_ENTRIES_MAX
        self.loss = 0.0
        self.strikes = 0.0
        """How often a node crashes between two of its effects."""
        self.strikes_after_votes = 0.0
        """How often it does when its vote has just left."""
        self.when_leading: Callable[[Machine], None] = lambda machine: None
        """Called with each node that begins to lead."""
        self.blocked: set[tuple[int, int]] = set()
        self.written = 0
        self.voters_by_text: dict[str, VoterSet] = {}
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._order = 0
        keys = [ReplicaKey(number) for number in range(1, voters + observers + 1)]
        self.configured = VoterSet(self.voter(key) for key in keys[:voters])
        self.machines = {key.node_id: self.machine(self, key) for key in keys}
        for machine in self.machines.values():
            machine.start()

    @staticmethod
    def voter(key: ReplicaKey) -> Voter:
        return Voter(key, {"CONTROLLER": Address("node", key.node_id)})

    # Time and links.

    def after(self, delay_ms: int, action: Callable[[], None]) -> None:
        self._order += 1
        heapq.heappush(self._events, (self.now_ms + delay_ms, self._order, action))

    def send(self, source: int, target: int, action: Callable[[], None]) -> None:
        if (source, target) in self.blocked or self.random.random() < self.loss:
            return
        self.after(self.random.randrange(1, DELAY_MS_MAX), action)

    def run_for(self, duration_ms: int) -> None:
        end_ms = self.now_ms + duration_ms
        while self._events and self._events[0][0] <= end_ms:
            self.now_ms, _, action = heapq.heappop(self._events)
            action()
        self.now_ms = end_ms

    def run_until(self, condition: Callable[[], bool], limit_ms: int = 60_000) -> int:
        """How long it took."""
        begun_ms = self.now_ms
        while not condition():
            assert self.now_ms - begun_ms < limit_ms, f"not within {limit_ms} ms: {self.summary()}"
            self.run_for(10)
        return self.now_ms - begun_ms

    # What is to be seen.

    def summary(self) -> str:
        return ", ".join(repr(one.node) for one in self.machines.values())

    @property
    def mark(self) -> str:
        """Of how much happened, what was promised meanwhile, and where all have got."""
        seen = self.now_ms, self._order, self.ledger.leaders, self.ledger.committed, self.summary()
        return sha256(repr(seen).encode()).hexdigest()

    def leader(self) -> Any:
        """The leader of the latest epoch that any voter is in, if it is up."""
        up = [one for one in self.machines.values() if one.node is not None]
        leaders = [one for one in up if isinstance(one.node.role, Leader)]
        latest = max((one.node.epoch for one in up), default=0)
        return next((one for one in leaders if one.node.epoch == latest), None)

    def all_agree(self) -> bool:
        """All follow the same leader and have committed all that it has."""
        leader = self.leader()
        if leader is None:
            return False
        end = leader.log.end.offset
        return all(
            one.node is not None
            and one.node.high_watermark == end
            and (one is leader or isinstance(one.node.role, Follower))
            for one in self.machines.values()
        )

    # What is done to it.

    def write(self) -> None:
        """A client sends a value to each that takes itself for the leader."""
        for machine in self.machines.values():
            if machine.node is not None and isinstance(machine.node.role, Leader):
                self.written += 1
                value = f"value {self.written}"
                machine.acknowledge.append((machine.log.end.offset, value))
                machine.append(Entry(machine.node.epoch, value))

    def change_voters(self) -> None:
        """Each that takes itself for the leader is asked for one voter more, or one less."""
        for machine in self.machines.values():
            self.change_voters_of(machine)

    def change_voters_of(self, machine: Machine) -> None:
        """Ask this one, if it takes itself for the leader."""
        if machine.node is None or not isinstance(machine.node.role, Leader):
            return
        keys = [one.key for one in self.machines.values()]
        key = keys[self.random.randrange(0, len(keys))]
        if key in machine.node.voters:
            machine.step(RemoveVoterAsked(0, key))
        else:
            machine.step(AddVoterAsked(0, self.voter(key)))

    def cut_off(self, node_id: int) -> None:
        for other in self.machines:
            self.blocked |= {(node_id, other), (other, node_id)}

    def heal(self) -> None:
        self.loss = self.strikes = self.strikes_after_votes = 0.0
        self.when_leading = lambda machine: None
        self.blocked.clear()
        for machine in self.machines.values():
            if machine.node is None:
                machine.start()
