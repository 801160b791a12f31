"""Protocols that groups may use, or not."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from moldau.errors import KafkaError
from moldau.metadata.image import Image
from moldau.metadata.settings import Features
from moldau.server.group_protocols import CONSUMER, check_protocol


def broker(protocols, level):
    image = Image(features=Features({"group.version": level}))
    return SimpleNamespace(
        settings=SimpleNamespace(group_coordinator_rebalance_protocols=protocols),
        metadata=SimpleNamespace(image=image),
    )


def test_a_protocol_that_is_set_and_supported_may_be_used():
    check_protocol(broker(("classic", "consumer"), 1), CONSUMER)


@pytest.mark.parametrize(("protocols", "level"), [(("classic",), 1), (("consumer",), 0)])
def test_a_protocol_wants_both_its_setting_and_its_level(protocols, level):
    with pytest.raises(KafkaError) as refused:
        check_protocol(broker(protocols, level), CONSUMER)
    assert refused.value.code == 35
