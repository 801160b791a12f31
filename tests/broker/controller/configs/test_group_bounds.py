"""Groups choose within what the operator allows."""

import pytest

from moldau.broker.controller.configs.group_bounds import group_complaint
from moldau.config.broker.settings import BrokerSettings
from moldau.config.group_defaults import group_settings


def complaint(given, **broker):
    settings = BrokerSettings({key.replace("_", "."): text for key, text in broker.items()})
    return group_complaint(group_settings(settings, given), settings)


def test_defaults_are_within_their_own_bounds():
    assert complaint({}) is None


@pytest.mark.parametrize(
    ("name", "value", "bound"),
    [
        ("consumer.session.timeout.ms", "44999", "group.consumer.min.session.timeout.ms"),
        ("consumer.session.timeout.ms", "60001", "group.consumer.max.session.timeout.ms"),
        ("share.record.lock.duration.ms", "14999", "group.share.min.record.lock.duration.ms"),
        ("streams.num.standby.replicas", "3", "group.streams.max.standby.replicas"),
    ],
)
def test_a_value_out_of_bounds_names_the_bound(name, value, bound):
    relation = "greater" if ".min." in bound else "less"
    assert complaint({name: value}) == f"{name} must be {relation} than or equal to {bound}"


def test_the_operator_moves_the_bounds():
    assert complaint(
        {"consumer.session.timeout.ms": "70000"}, group_consumer_max_session_timeout_ms="80000"
    ) is None  # fmt: skip


def test_a_heartbeat_comes_before_the_session_ends():
    wide = {
        "group_consumer_min_session_timeout_ms": "1",
        "group_consumer_max_heartbeat_interval_ms": "60000",
    }
    given = {"consumer.session.timeout.ms": "5000", "consumer.heartbeat.interval.ms": "5000"}
    assert complaint(given, **wide) == (
        "consumer.session.timeout.ms must be greater than consumer.heartbeat.interval.ms"
    )


@pytest.mark.parametrize("reset", ["earliest", "latest", "by_duration:PT1H", "by_duration:p1d"])
def test_a_new_share_group_begins_at_an_end_or_at_a_time(reset):
    assert complaint({"share.auto.offset.reset": reset}) is None


@pytest.mark.parametrize("reset", ["middle", "by_duration:Pfrog", "by_duration:PT-1H", "PT1H"])
def test_a_beginning_that_is_none_is_refused(reset):
    assert "write earliest, latest or by_duration" in complaint({"share.auto.offset.reset": reset})
