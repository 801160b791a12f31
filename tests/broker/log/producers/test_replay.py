"""Producer state rebuilt from the log."""

from __future__ import annotations

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.producers.replay import replay
from moldau.broker.log.producers.states import ProducerStates
from tests.broker.log.batches import batch, marker
from tests.broker.log.logs import DIRECTORY, Bench

TRANSACTIONAL = 0x10


def transactional_log():
    bench = Bench()
    log = bench.open()
    for number in range(12):
        data = batch(0, (b"v",), attributes=TRANSACTIONAL, producer=(1, 0, number))
        log.append_as_leader(data, 0)
    log.append_as_leader(marker(1, commit=False), 0, AppendOrigin.COORDINATOR)
    for number in range(12):
        log.append_as_leader(batch(0, (b"v",), producer=(2, 0, number)), 0)
    return bench, log


def test_a_replay_from_the_start_gives_the_state_that_appending_gave():
    bench, log = transactional_log()
    states = ProducerStates(bench.files, DIRECTORY)
    replay(states, log.segments, log.log_end_offset)
    assert list(map(repr, states.active())) == list(map(repr, log.producers.active()))
    assert states.first_unstable_offset == log.producers.first_unstable_offset == 0
    assert states.map_end_offset == 25


def test_a_replay_goes_as_far_as_it_may():
    bench, log = transactional_log()
    states = ProducerStates(bench.files, DIRECTORY)
    replay(states, log.segments, 5)
    entry = states.entry(1)
    assert entry is not None
    assert (entry.last_sequence, states.map_end_offset) == (4, 5)
    assert states.entry(2) is None
    replay(states, log.segments, 25)
    assert states.entry(2) is not None


def test_an_emptied_control_batch_changes_nothing():
    bench = Bench()
    log = bench.open()
    empty = batch(0, (), attributes=0x30, producer=(1, 0, -1))
    log.append_as_follower(empty, 0)
    states = ProducerStates(bench.files, DIRECTORY)
    replay(states, log.segments, log.log_end_offset)
    assert len(states) == 0
