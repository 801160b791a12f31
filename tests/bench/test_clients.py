"""Which goals of the clients are met, and which are not."""

from __future__ import annotations

from bench.clients.goals import CLIENTS, GOALS, judged


def test_a_goal_is_judged_by_the_client_that_it_names():
    figures = {"moldau": {"cpu_ns": 900.0}, "aiokafka": {"cpu_ns": 4000.0}}
    (met,) = judged("consume", figures)
    assert met.startswith("met ")
    assert met.endswith("900, limit 1000")
    figures["moldau"]["cpu_ns"] = 1001.0
    (missed,) = judged("consume", figures)
    assert missed.startswith("MISSED consume: moldau, cpu_ns <= 0.25 of aiokafka's")


def test_a_goal_without_another_client_is_a_number():
    (line,) = judged("produce", {"moldau, Arrow": {"cpu_ns": 401.0}})
    assert line.startswith("MISSED")


def test_every_goal_is_of_clients_that_are_measured():
    for goal in GOALS:
        assert {goal.client, goal.other or goal.client} <= set(CLIENTS[goal.task])
