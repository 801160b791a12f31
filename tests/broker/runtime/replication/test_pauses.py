"""Pauses grow, and begin anew after a success."""

from moldau.broker.runtime.replication.pauses import Pauses


def test_each_pause_is_twice_the_one_before_up_to_the_longest():
    pauses = Pauses()
    assert [pauses.next_ms(100) for _ in range(5)] == [20, 40, 80, 100, 100]


def test_after_a_success_pauses_are_short_again():
    pauses = Pauses()
    pauses.next_ms(1000)
    pauses.next_ms(1000)
    pauses.reset()
    assert pauses.next_ms(1000) == 20


def test_no_pause_is_longer_than_is_set():
    assert Pauses().next_ms(5) == 5
