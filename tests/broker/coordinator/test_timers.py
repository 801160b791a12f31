"""Timers of a shard."""

from __future__ import annotations

from moldau.broker.coordinator.shard import NOTHING, Decision, Reply
from moldau.broker.coordinator.timers import STALE_ENTRIES_MAX, Action, Timers
from moldau.protocol.messages.group.heartbeat import HeartbeatResponse

REPLY = Reply(1, HeartbeatResponse(throttle_time_ms=0, error_code=0))


def noting(ran: list[str], name: str) -> Action:
    def action(now_ms: int) -> Decision:
        ran.append(name)
        return NOTHING

    return action


def test_timers_run_in_the_order_of_their_times():
    timers, ran = Timers(), list[str]()
    for name, due_ms in (("late", 30), ("early", 10), ("later", 40)):
        timers.schedule(name, due_ms, noting(ran, name))
    timers.run_due(30)
    assert ran == ["early", "late"]
    assert timers.next_at_ms() == 40


def test_setting_a_timer_again_moves_it():
    timers, ran = Timers(), list[str]()
    timers.schedule("one", 10, noting(ran, "old"))
    timers.schedule("one", 20, noting(ran, "moved"))
    timers.run_due(10)
    assert ran == []
    assert timers.due_at_ms("one") == 20
    timers.run_due(20)
    assert ran == ["moved"]


def test_a_cancelled_timer_never_runs():
    timers = Timers()
    timers.schedule("one", 10, lambda now_ms: Decision(replies=[REPLY]))
    timers.cancel("one")
    timers.cancel("one")
    assert timers.next_at_ms() is None
    assert timers.run_due(10) is NOTHING
    assert "one" not in timers


def test_each_run_ends_with_the_first_action_from_which_something_follows():
    timers = Timers()
    for name in "ab":
        timers.schedule(name, 10, lambda now_ms: Decision(replies=[REPLY]))
    assert timers.run_due(10).replies == [REPLY]
    assert timers.next_at_ms() == 10
    assert timers.run_due(10).replies == [REPLY]
    assert timers.next_at_ms() is None


def test_an_action_may_set_its_own_timer_again():
    timers, ran = Timers(), list[int]()

    def again(now_ms):
        ran.append(now_ms)
        timers.schedule("again", now_ms + 10, again)
        return NOTHING

    timers.schedule("again", 10, again)
    timers.run_due(15)
    timers.run_due(24)
    timers.run_due(25)
    assert ran == [15, 25]


def test_timers_that_are_moved_for_ever_take_no_room():
    timers = Timers()
    for due_ms in range(3 * STALE_ENTRIES_MAX):
        timers.schedule("session", due_ms, lambda now_ms: NOTHING)
    assert len(timers._heap) <= STALE_ENTRIES_MAX + 2
    assert timers.next_at_ms() == 3 * STALE_ENTRIES_MAX - 1
    assert repr(timers) == "Timers(1 set, next at 2999)"
