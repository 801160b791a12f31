"""ApiVersions, compared with what Kafka 4.3.1 answered."""

import pytest

from moldau.broker.server import apis
from moldau.broker.server.cluster.api_versions import handle
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of


def ask(
    version,
    listener="PLAINTEXT",
    name="kafka-python",
    number="2.3.2",
    *,
    shows_metrics=True,
    **settings,
):
    request = ApiVersionsRequest(client_software_name=name, client_software_version=number)
    broker = broker_with(**settings)
    broker.shows_metrics = shows_metrics
    return handle(call_of(request, version, listener), broker)


def ranges(response):
    return {key.api_key: (key.min_version, key.max_version) for key in response.api_keys}


def test_each_kind_of_listener_has_the_apis_of_its_table():
    assert ranges(ask(4)).keys() == apis.BROKER.keys()
    assert ranges(ask(4, "CONTROLLER")).keys() == apis.CONTROLLER.keys()


def test_clients_are_not_asked_for_metrics_that_cannot_be_read():
    more = ranges(ask(4)).keys() - ranges(ask(4, shows_metrics=False)).keys()
    assert more == {71, 72}


def test_features_that_begin_at_level_0_are_sent_from_version_4_on():
    old, current = ask(3), ask(4)
    assert [feature.name for feature in old.supported_features] == ["metadata.version"]
    assert ("kraft.version", 0, 1) in [
        (feature.name, feature.min_version, feature.max_version)
        for feature in current.supported_features
    ]


def test_finalized_features_come_with_the_offset_at_which_they_hold():
    response = ask(4)
    levels = {f.name: f.max_version_level for f in response.finalized_features}
    assert levels["metadata.version"] == 30
    assert levels["transaction.version"] == 2
    assert response.finalized_features_epoch == 10


@pytest.mark.parametrize(
    ("listener", "switch", "shown"),
    [
        ("PLAINTEXT", "unstable_api_versions_enable", (6, 30)),
        ("PLAINTEXT", "unstable_feature_versions_enable", (5, 31)),
        ("CONTROLLER", "unstable_api_versions_enable", (None, 31)),
        ("CONTROLLER", "unstable_feature_versions_enable", (None, 30)),
    ],
)
def test_what_may_still_change_is_shown_by_its_switch(listener, switch, shown):
    """As Kafka's nodes answer: `test_unstable_versions_beside_kafka`."""
    response = ask(4, listener, **{switch: True})
    levels = {feature.name: feature.max_version for feature in response.supported_features}
    _, highest = ranges(response).get(22, (None, None))
    assert (highest, levels["metadata.version"]) == shown


@pytest.mark.parametrize(("name", "number"), [("", "1"), ("a", "-1"), ("a b", "1"), ("a", "1.")])
def test_a_client_whose_name_is_no_plain_word_is_refused_since_version_3(name, number):
    assert ask(3, name=name, number=number).error_code == ErrorCode.INVALID_REQUEST
    assert ask(2, name="", number="").error_code == ErrorCode.NONE
