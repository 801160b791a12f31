"""The log of decisions, and its only driver."""

from __future__ import annotations

from threading import Timer

import pytest

from moldau.client import Producer
from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.errors import FencedError
from moldau.spark.sink.decisions import Decision, DecisionLog
from moldau.spark.sink.options import sink_options

pytestmark = pytest.mark.timeout(120)


def test_a_decision_comes_back_as_it_was():
    decision = Decision(7, (PreparedTransaction("a", 1, 2), PreparedTransaction("b", 3, 4)))
    assert Decision.read(decision.to_bytes()) == decision


@pytest.mark.judge
def test_the_last_decision_is_found_however_many_others_came_after_it(cluster):
    options = sink_options({"kafka.bootstrap.servers": cluster.bootstrap})
    with DecisionLog(options, "first") as log:
        assert log.last() is None
        log.write(Decision(3, ()))
    for batch in range(140):  # with their markers more than are looked at first
        with DecisionLog(options, "second") as log:
            log.write(Decision(batch, ()))
    for family, batch in (("first", 3), ("second", 139)):
        with DecisionLog(options, family) as log:
            assert log.last() == Decision(batch, ())


@pytest.mark.judge
def test_a_driver_that_has_a_successor_decides_nothing(cluster):
    options = sink_options({"kafka.bootstrap.servers": cluster.bootstrap})
    with DecisionLog(options, "slow") as before, DecisionLog(options, "slow") as after:
        with pytest.raises(FencedError):
            before.write(Decision(1, ()))
        assert after.last() is None


@pytest.mark.judge
def test_a_decision_that_another_driver_is_about_to_write_is_waited_for(cluster):
    options = sink_options({"kafka.bootstrap.servers": cluster.bootstrap})
    with DecisionLog(options, "mine") as log:
        log.write(Decision(1, ()))
    with Producer(cluster.bootstrap, transactional_id="other") as other:
        other.begin_transaction()
        other.send(options.decisions, b"{}", key=b"other")
        other.prepare_transaction()
        with DecisionLog(options, "mine") as log:
            later = Timer(0.4, other.abort_transaction)
            later.start()
            assert log.last() == Decision(1, ())
            later.join()
