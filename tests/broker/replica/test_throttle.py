"""How fast copies may move."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from moldau.broker.replica.throttle import FOREVER, Throttle, Throttles, is_listed
from moldau.platform.simulated.clock import SimulatedClock

MS = 1_000_000


class Scene:
    """A throttle and its clock."""

    def __init__(self, bound: int) -> None:
        self.clock = SimulatedClock()
        self.throttle = Throttle(self.clock)
        self.throttle.bound = bound

    def pass_ms(self, duration_ms: int) -> None:
        self.clock.advance_ns(duration_ms * MS)


def test_without_a_bound_nothing_waits_but_all_counts_for_one_that_comes():
    scene = Scene(FOREVER)
    scene.throttle.record(2000)
    assert (scene.throttle.wait_ms(), repr(scene.throttle)) == (0, "Throttle(no bound)")
    scene.throttle.bound = 1000
    assert scene.throttle.wait_ms() == 2000


def test_a_piece_goes_through_and_has_to_be_waited_for():
    scene = Scene(1000)
    assert not scene.throttle.is_exceeded
    scene.throttle.record(5000)
    assert scene.throttle.wait_ms() == 5000
    scene.pass_ms(4999)
    assert scene.throttle.wait_ms() == 1
    scene.pass_ms(1)
    assert not scene.throttle.is_exceeded


def test_what_a_window_may_take_needs_no_wait():
    scene = Scene(1000)
    scene.throttle.record(600)
    scene.throttle.record(400)
    assert not scene.throttle.is_exceeded
    scene.throttle.record(1)
    assert scene.throttle.wait_ms() == 1001


def test_in_the_long_run_it_is_as_fast_as_the_bound():
    scene = Scene(1000)
    sent = 0
    for _ in range(60_000):
        if not scene.throttle.is_exceeded:
            scene.throttle.record(700)
            sent += 700
        scene.pass_ms(1)
    assert sent == pytest.approx(60_000, rel=0.05)


def test_all_is_forgotten_after_eleven_windows():
    scene = Scene(1)
    scene.throttle.record(1 << 40)
    assert scene.throttle.wait_ms() == 11_000
    scene.pass_ms(11_000)
    assert not scene.throttle.is_exceeded


def test_a_bound_of_nothing_still_looks_now_and_then():
    scene = Scene(0)
    scene.throttle.record(1)
    assert (scene.throttle.wait_ms(), repr(scene.throttle)) == (
        11_000,
        "Throttle(0 bytes a second)",
    )


def test_the_broker_sets_bounds_at_the_start_and_later():
    settings = SimpleNamespace(
        leader_replication_throttled_rate=5,
        follower_replication_throttled_rate=9,
        replica_alter_log_dirs_io_max_bytes_per_second=7,
        replication_quota_window_num=2,
        replication_quota_window_size_seconds=3,
        alter_log_dirs_replication_quota_window_num=11,
        alter_log_dirs_replication_quota_window_size_seconds=1,
    )
    throttles = Throttles(SimulatedClock(), settings)
    throttles.to_followers.record(1000)
    assert throttles.to_followers.wait_ms() == 6000
    settings.leader_replication_throttled_rate = FOREVER
    throttles.take(settings)
    assert (throttles.to_followers.is_set, throttles.between_directories.bound) == (False, 7)
    assert throttles.from_leaders.bound == 9


@pytest.mark.parametrize(
    ("listed", "is_meant"),
    [((), False), (("*",), True), (("0:1",), True), (("0:2", "1:1"), False)],
)
def test_a_topic_lists_its_throttled_replicas(listed, is_meant):
    assert is_listed(listed, 0, 1) is is_meant
