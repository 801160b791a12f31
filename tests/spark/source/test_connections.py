"""Covers moldau.spark.source.connections."""

from __future__ import annotations

import pytest

from moldau.client.errors import ClosedError
from moldau.spark.source import connections
from moldau.spark.source.connections import close_all, connection_to


@pytest.fixture(autouse=True)
def _close():
    yield
    close_all()


def settings(broker, **more):
    return {"bootstrap.servers": broker.bootstrap, **more}


@pytest.mark.judge
def test_the_same_settings_share_a_connection(broker):
    assert connection_to(settings(broker)) is connection_to(settings(broker))


@pytest.mark.judge
def test_other_settings_have_another(broker):
    assert connection_to(settings(broker)) is not connection_to(
        settings(broker, **{"client.id": "b"})
    )


@pytest.mark.judge
def test_the_one_that_was_not_used_the_longest_is_closed(broker, monkeypatch):
    monkeypatch.setattr(connections, "MOST_KEPT", 2)
    first, second = (connection_to(settings(broker, **{"client.id": name})) for name in "ab")
    connection_to(settings(broker, **{"client.id": "a"}))
    connection_to(settings(broker, **{"client.id": "c"}))
    assert first.topics() is not None
    with pytest.raises(ClosedError):
        second.topics()
