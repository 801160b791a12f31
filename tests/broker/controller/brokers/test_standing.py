"""The steps of a broker's life, as the records have them."""

import pytest

from moldau.broker.controller.brokers.standing import Standing, standing_of
from moldau.broker.metadata.cluster import BrokerState


@pytest.mark.parametrize(
    ("fenced", "leaving", "standing"),
    [
        (True, False, Standing.FENCED),
        (True, True, Standing.FENCED),
        (False, False, Standing.UNFENCED),
        (False, True, Standing.SHUTTING_DOWN),
    ],
)
def test_fenced_comes_before_shutting_down(fenced, leaving, standing):
    broker = BrokerState(1, 0, bytes(16), {}, fenced=fenced, in_controlled_shutdown=leaving)
    assert standing_of(broker) is standing
