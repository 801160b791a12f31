"""Settings of ours lie beside Kafka's, under names that it cannot have."""

from __future__ import annotations

import pytest

from moldau.broker.node.defaults import alone
from moldau.broker.node.server_properties import node_settings, warnings
from moldau.config.broker.settings import BrokerSettings
from moldau.config.own import OwnSettings
from moldau.config.refusals import InvalidSettingError


def given(**own):
    return node_settings(alone("data"), {"moldau.refuse.loss": "true", **own})


def test_they_are_read_beside_kafkas_and_none_is_unknown():
    assert given().own.moldau_refuse_loss
    assert not node_settings(alone("data")).own.moldau_refuse_loss
    assert [one for one in warnings(given()) if "moldau" in one] == []


def test_a_name_that_is_nearly_one_is_named():
    (line,) = (one for one in warnings(given(**{"moldau.refuse.los": "1"})) if "moldau" in one)
    assert "did you mean moldau.refuse.loss?" in line


def test_a_value_that_is_none_is_refused():
    with pytest.raises(InvalidSettingError, match=r"moldau\.refuse\.loss"):
        assert given(**{"moldau.refuse.loss": "often"}).own


def test_kafka_knows_none_of_them():
    assert all(name.startswith("moldau.") for name in OwnSettings.KEYS)
    assert OwnSettings.KEYS.keys().isdisjoint(BrokerSettings.KEYS)
