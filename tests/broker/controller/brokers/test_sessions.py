"""Which brokers have a session, and which may stop."""

from moldau.broker.controller.brokers.sessions import DOUBT_MS, LATE_MS, QUICK_HEARTBEATS, Sessions
from moldau.broker.metadata.cluster import BrokerState


def broker(broker_id, fenced=False):
    return BrokerState(broker_id, 0, bytes(16), {}, fenced=fenced)


def test_a_new_controller_gives_every_unfenced_broker_a_whole_session():
    sessions = Sessions(100)
    sessions.begin({1: broker(1), 2: broker(2, fenced=True)}, 1000)
    assert (sessions.is_valid(1, 1099), sessions.is_valid(2, 1000)) == (True, False)
    assert (sessions.stale(1099), sessions.stale(1100)) == ([], [1])
    assert sessions.next_stale_at_ms() == 1100


def test_the_longest_silent_comes_first():
    sessions = Sessions(100)
    sessions.touch(1, 5, 50)
    sessions.touch(2, 5, 20)
    assert sessions.stale(1000) == [2, 1]
    sessions.drop(2)
    assert sessions.stale(1000) == [1]


def test_a_broker_that_shuts_down_waits_for_all_others_but_not_for_those_who_go_too():
    sessions = Sessions(100)
    for broker_id in (1, 2, 3):
        sessions.touch(broker_id, 5, 0)
    sessions.shut_down_from(1, 10)
    sessions.shut_down_from(2, 12)
    assert not sessions.may_go(1)
    sessions.touch(3, 11, 0)
    assert (sessions.may_go(1), sessions.may_go(2)) == (True, False)
    sessions.shut_down_from(1, 99)
    assert sessions.may_go(1)


def test_no_broker_goes_that_did_not_ask():
    sessions = Sessions(100)
    sessions.touch(1, 5, 0)
    assert not sessions.may_go(1)
    assert not sessions.may_go(2)


def test_a_session_that_is_ended_is_stale_until_the_next_heartbeat():
    sessions = Sessions(100)
    sessions.touch(1, 5, 1000)
    sessions.end(1)
    sessions.end(2)
    assert sessions.stale(0) == [1]
    assert (sessions.next_stale_at_ms() or 0) < 0
    sessions.touch(1, 5, 1001)
    assert sessions.stale(1001) == []


def beating(interval_ms, count=QUICK_HEARTBEATS + 1):
    """Sessions of broker 1 after so many heartbeats, the last of them at 0."""
    sessions = Sessions(9000, 2000)
    for number in range(count):
        sessions.touch(1, 5, (number + 1 - count) * interval_ms)
    return sessions


def test_a_broker_whose_heartbeats_come_quickly_is_silent_sooner():
    assert beating(500).next_stale_at_ms() == 2000
    assert beating(1500).next_stale_at_ms() == 2000
    assert beating(1501).next_stale_at_ms() == 9000
    assert beating(2000).next_stale_at_ms() == 9000


def test_a_session_is_ordinary_before_many_heartbeats_and_after_one_that_is_late():
    sessions = beating(500, QUICK_HEARTBEATS - 1)
    assert sessions.next_stale_at_ms() == 9000
    sessions = beating(500)
    sessions.touch(1, 5, 1501)
    assert sessions.next_stale_at_ms() == 1501 + 9000


def test_fetches_prolong_a_quick_session_for_half_of_its_time():
    ends = []
    for fetched_ms in (0, 600, 1000, 1800, 2900):
        sessions = beating(1000)
        sessions.note_fetch(1, fetched_ms)
        sessions.note_fetch(2, fetched_ms)
        ends.append(sessions.next_stale_at_ms())
    assert ends == [2000, 2600, 3000, 3000, 3000]


def test_fetches_do_not_prolong_an_ordinary_session_or_one_that_has_ended():
    sessions = beating(2000)
    sessions.note_fetch(1, 500)
    assert sessions.next_stale_at_ms() == 9000
    sessions = beating(1000)
    sessions.end(1)
    sessions.note_fetch(1, 500)
    assert sessions.stale(501) == [1]


def test_no_session_is_longer_than_the_ordinary_one():
    sessions = Sessions(100, 2000)
    for now_ms in range(20):
        sessions.touch(1, 5, now_ms)
    assert sessions.next_stale_at_ms() == 119


def taken_over(silent_ms, quick_ms=2000):
    """Sessions of a controller that became active at 10,000, after broker 1 had led."""
    sessions = Sessions(9000, quick_ms)
    sessions.begin({1: broker(1), 2: broker(2)}, 10_000)
    sessions.doubt(1, 10_000 - silent_ms, 10_000)
    return sessions


def test_a_former_leader_that_has_been_silent_gets_no_whole_session():
    sessions = taken_over(silent_ms=2000)
    assert sessions.next_stale_at_ms() == 10_000 + DOUBT_MS
    assert sessions.stale(10_000 + DOUBT_MS) == [1]
    assert sessions.is_valid(2, 18_999)


def test_a_former_leader_that_answered_lately_gets_one():
    assert taken_over(silent_ms=1999).next_stale_at_ms() == 19_000
    assert taken_over(silent_ms=2000, quick_ms=9000).next_stale_at_ms() == 19_000


def test_one_heartbeat_ends_the_doubt():
    sessions = taken_over(silent_ms=2000)
    sessions.touch(1, 5, 10_400)
    assert sessions.next_stale_at_ms() == 19_000
    sessions.doubt(7, 0, 10_000)


def test_a_controller_that_was_busy_first_reads_the_heartbeats_that_have_come():
    sessions = Sessions(100)
    sessions.touch(1, 5, 0)
    sessions.touch(2, 5, 0)
    late = 100 + LATE_MS + 1
    sessions.look(late)
    assert sessions.stale(late) == []
    assert sessions.next_stale_at_ms() == late + DOUBT_MS
    sessions.touch(1, 5, late + DOUBT_MS - 1)
    sessions.look(late + DOUBT_MS)
    assert sessions.stale(late + DOUBT_MS) == [2]


def test_a_controller_that_is_late_again_fences_who_is_still_silent():
    sessions = Sessions(100)
    sessions.touch(1, 5, 0)
    sessions.look(1_000)
    sessions.look(5_000)
    assert sessions.stale(5_000) == [1]


def test_after_a_heartbeat_a_controller_that_is_late_again_gives_another_moment():
    sessions = Sessions(100)
    sessions.touch(1, 5, 0)
    sessions.look(1_000)
    sessions.touch(1, 5, 1_000 + DOUBT_MS)
    sessions.look(5_000)
    assert sessions.stale(5_000) == []


def test_a_controller_that_is_in_time_gives_no_grace():
    sessions = Sessions(100)
    sessions.touch(1, 5, 0)
    sessions.look(100 + LATE_MS)
    assert sessions.stale(100 + LATE_MS) == [1]


def test_a_session_whose_process_has_ended_gets_no_grace():
    sessions = Sessions(100)
    sessions.touch(1, 5, 0)
    sessions.look(5_000)
    sessions.end(1)
    sessions.look(10_000)
    assert sessions.stale(10_000) == [1]


def test_how_long_a_broker_has_been_silent_is_known_while_its_session_lasts():
    sessions = Sessions(100)
    for broker_id, now_ms in ((1, 10), (2, 20), (3, 30)):
        sessions.touch(broker_id, 5, now_ms)
    sessions.end(2)
    sessions.drop(3)
    assert sessions.silences_ms(50) == {1: 40}
