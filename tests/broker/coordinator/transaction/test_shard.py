"""The shard as a whole: loading, and many producers that get into each other's way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moldau.broker.coordinator.shard import RequestContext, Shard
from moldau.errors import KafkaError
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.transaction.partition_model import (
    ABORTED,
    COMMITTED,
    PENDING,
    ModelPartition,
)
from tests.broker.coordinator.transaction.stage import TIMEOUT_MS, Stage

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["init", "again", "add", "commit", "abort", "mark", "reload", "time"]),
        st.integers(0, 3),
        st.booleans(),
    ),
    max_size=60,
)


def test_it_is_a_shard():
    shard: Shard = Stage().shard
    assert shard.unloaded() == []


def test_requests_of_others_are_refused():
    with pytest.raises(KafkaError) as refused:
        Stage().shard.decide(
            HeartbeatRequest(group_id="g", generation_id=0, member_id="m"), RequestContext(1, 0), 0
        )
    assert refused.value.code == ErrorCode.UNSUPPORTED_VERSION


def test_a_loaded_shard_is_the_one_that_wrote_the_log():
    stage = Stage()
    who = stage.init()
    stage.add(who, 0, 1)
    stage.init("other")
    before = dict(stage.shard.book.by_id)
    stage.reload()
    assert stage.shard.book.by_id == before


class Zombies:
    """Four clients of one id; each may take itself for the current one."""

    def __init__(self, epoch):
        self.stage = Stage()
        self.holders = [self.stage.init()] * 4
        self.stage.put(producer_epoch=epoch)
        self.holders = [self.stage.transaction().client] * 4
        self.given = [self.holders[0]]
        self.decided = {}

    def act(self, step, number, is_delayed):
        """One step; an error leaves the client as it was."""
        stage, who = self.stage, self.holders[number]
        named = self.given[-min(len(self.given), 2)] if is_delayed else who
        match step:
            case "init":
                self.take(number, lambda: stage.init())
            case "again":
                self.take(number, lambda: stage.init(had=named))
            case "add":
                stage.code_of(stage.add, named, number)
            case "commit" | "abort":
                self.take(number, lambda: stage.end(named, commit=step == "commit"))
            case "mark":
                stage.finish()
            case "reload":
                stage.reload()
            case _:
                stage.pass_time(TIMEOUT_MS)
        self.check()

    def take(self, number, act):
        try:
            identity = act()
        except KafkaError:
            return
        self.holders[number] = identity
        if identity != self.given[-1]:
            self.given.append(identity)

    def check(self):
        """Identities only grow, and what was decided stays decided."""
        assert self.given == sorted(self.given), "an identity was given a second time"
        assert all(0 <= epoch < 32767 for _, epoch in self.given)
        for markers in self.stage.effects:
            transaction = (markers.producer_id, markers.producer_epoch)
            assert 0 <= markers.producer_epoch <= 32767
            assert self.decided.setdefault(transaction, markers.is_commit) is markers.is_commit


@settings(max_examples=150, deadline=None)
@given(STEPS, st.sampled_from([0, 32764, 32765, 32766]))
def test_zombies_never_change_a_decision_nor_get_an_identity_twice(steps, epoch):
    zombies = Zombies(epoch)
    for step in steps:
        zombies.act(*step)


@settings(max_examples=100, deadline=None)
@given(STEPS)
def test_whatever_happens_the_log_alone_says_where_the_ids_stand(steps):
    zombies = Zombies(0)
    for step in steps:
        zombies.act(*step)
    before = dict(zombies.stage.shard.book.by_id)
    if len(zombies.stage.log) > 1:
        zombies.stage.reload()
        assert zombies.stage.shard.book.by_id == before


@settings(max_examples=100, deadline=None)
@given(STEPS)
def test_only_the_newest_holder_can_commit(steps):
    zombies = Zombies(0)
    for step in steps:
        zombies.act(*step)
    stage, newest = zombies.stage, zombies.stage.transaction().client
    for who in zombies.given:
        if who != newest and stage.state() == "Ongoing":
            assert stage.code_of(stage.end, who) == ErrorCode.PRODUCER_FENCED


class Writers:
    """Two clients of one id who write to partitions and end what they have begun.

    Each remembers what it wrote since its last end. The network may hold back its requests: an
    end that is `late` comes after whatever happened meanwhile.
    """

    def __init__(self):
        self.stage = Stage()
        self.partitions = [ModelPartition() for _ in range(3)]
        self.clients = [self.stage.init()] * 2
        self.written: list[list[Any]] = [[], []]
        self.late = []
        self.ended = []

    def act(self, step, number, is_late):
        who = self.clients[number % 2]
        match step:
            case "init":
                self.change(number % 2, lambda: self.stage.init())
            case "write":
                self.write(number, who)
            case "commit" | "abort" if is_late:
                self.late.append((who, step == "commit"))
            case "commit" | "abort":
                self.end(number % 2, who, step == "commit")
            case "arrive" if self.late:
                self.arrive(*self.late.pop(0))
            case "mark":
                self.deliver()
            case _:
                self.stage.reload()

    def change(self, number, act):
        try:
            self.clients[number] = act()
        except KafkaError:
            return False
        self.written[number] = []
        return True

    def arrive(self, who, commit):
        """An end from before: unless its client is still the one, it ends nothing."""
        before = self.stage.transaction()
        self.stage.code_of(self.stage.end, who, commit=commit)
        assert who == before.client or self.stage.transaction() == before

    def write(self, number, who):
        index = number % 3
        if self.stage.code_of(self.stage.add, who, index) == ErrorCode.NONE:
            assert who == self.stage.transaction().client
            write = self.partitions[index].write(*who)
            self.written[number % 2] += [write] if write else []

    def end(self, number, who, commit):
        """An end that is answered as done settles what the client wrote, and nothing else."""
        if not (state := self.stage.state()).startswith("Prepare"):
            mine = list(self.written[number])
            is_retry = state.startswith("Complete")
            ended = self.change(number, lambda: self.stage.end(who, commit=commit))
            if ended and not is_retry:
                self.ended.append((mine, COMMITTED if commit else ABORTED))

    def deliver(self):
        while self.stage.effects:
            markers = self.stage.effects.pop(0)
            for _, index in markers.partitions:
                self.partitions[index].mark(
                    markers.producer_id, markers.producer_epoch, is_commit=markers.is_commit
                )
            decision = self.stage.shard.markers_written(markers, markers.partitions, 0)
            self.stage.carry_out(decision)

    def settle(self):
        """Everything arrives; what is still open is aborted by a new producer."""
        self.deliver()
        self.stage.code_of(self.stage.init)
        self.deliver()


WRITER_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["init", "write", "write", "commit", "abort", "arrive", "mark", "reload"]),
        st.integers(0, 5),
        st.booleans(),
    ),
    max_size=60,
)


@settings(max_examples=200, deadline=None)
@given(WRITER_STEPS)
def test_what_a_client_is_reported_its_transaction_is_what_became_of_it(steps):
    writers = Writers()
    for step in steps:
        writers.act(*step)
    writers.settle()
    for written, fate in writers.ended:
        assert {one.fate for one in written} <= {fate}
    fates = {one.fate for partition in writers.partitions for one in partition.writes}
    assert PENDING not in fates, "a transaction hangs"
