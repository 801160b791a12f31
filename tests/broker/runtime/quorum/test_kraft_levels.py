"""Who is to vote is asked what it supports."""

from __future__ import annotations

import pytest

from moldau.broker.runtime.quorum.kraft_levels import ask_kraft_levels
from moldau.errors import NetworkError
from moldau.network.outgoing.traffic import Traffic
from moldau.platform.ports.network import Address
from moldau.platform.simulated.tasks import run
from moldau.protocol.messages.cluster.api_versions import ApiVersionsResponse

PLACE = Address("host", 9093)


class OnePeer:
    """Answers with this, or fails with it."""

    def __init__(self, answer):
        self.answer = answer

    traffic = Traffic()

    async def ask(self, address, request, timeout_ms):
        assert address == PLACE
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def supporting(*features, error=0):
    of = ApiVersionsResponse.SupportedFeatureKey
    return ApiVersionsResponse(
        error_code=error,
        api_keys=[],
        supported_features=[
            of(name=name, min_version=low, max_version=high) for name, low, high in features
        ],
    )


@pytest.mark.parametrize(
    ("answer", "levels"),
    [
        (supporting(("kraft.version", 0, 1), ("group.version", 0, 9)), (0, 1)),
        (supporting(), (0, 0)),
        (supporting(error=35), None),
        (NetworkError("host:9093", "no way there"), None),
        (TimeoutError(), None),
    ],
)
def test_its_levels_are_known_or_no_controller_is_there(answer, levels):
    async def main(tasks):
        return await ask_kraft_levels(OnePeer(answer), PLACE, 100)

    assert run(main) == levels


def test_where_there_is_no_way_to_others_none_is_there():
    async def main(tasks):
        return await ask_kraft_levels(None, PLACE, 100)

    assert run(main) is None
