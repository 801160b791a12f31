"""What `moldau top` makes of two moments."""

from moldau.client import Producer
from moldau.client.admin import Admin
from moldau.programs.tools.cluster.cluster_view import screen, snapshot_fields, take_snapshot


def test_rates_come_from_two_moments(node, topic):
    with Admin(node) as admin:
        before = take_snapshot(admin, 1000)
        with Producer(node) as producer:
            for _ in range(10):
                producer.send(topic, b"more", partition=0)
        now = take_snapshot(admin, 3000)
    topics = snapshot_fields(now, before)["topics"]
    assert isinstance(topics, list)
    (found,) = (one for one in topics if one["topic"] == topic)
    assert found["records_per_second"] == 5.0
    assert screen(now, before, 200, 100)[3].startswith(topic)


def test_a_small_terminal_gets_what_fits(node, group):
    with Admin(node) as admin:
        lines = screen(take_snapshot(admin, 0), None, 40, 12)
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 40
