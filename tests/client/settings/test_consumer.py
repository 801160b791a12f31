"""What can be set for a consumer."""

from __future__ import annotations

import pytest

from moldau.client.settings.client import settings_of
from moldau.client.settings.consumer import ConsumerSettings
from moldau.config.refusals import InvalidSettingError, UnknownSettingError


def chosen(**settings: object) -> ConsumerSettings:
    return settings_of(ConsumerSettings, "b1:9092", settings)


def test_the_defaults_are_kafkas():
    made = chosen()
    assert made.assignors == ("range", "cooperative-sticky")
    assert (made.auto_offset_reset, made.max_poll_records) == ("latest", 500)
    assert not made.is_epoch_protocol
    assert chosen(group_protocol="CONSUMER").is_epoch_protocol


def test_assignors_are_known_by_javas_classes_too():
    name = "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
    assert chosen(partition_assignment_strategy=[name]).assignors == ("cooperative-sticky",)


@pytest.mark.parametrize(
    "settings",
    [
        {"partition_assignment_strategy": "random"},
        {"auto_offset_reset": "smallest"},
        {"group_protocol": "new"},
        {"auto_offset_reset": "by_duration:1h"},
        {"group_id": " "},
        {"group_instance_id": ""},
        {"group_remote_assignor": "uniform"},
        {"group_protocol": "consumer", "partition_assignment_strategy": "range"},
        {"session_timeout_ms": 3_000, "heartbeat_interval_ms": 3_000},
    ],
)
def test_what_does_not_exist_or_fit_is_refused(settings):
    with pytest.raises(InvalidSettingError):
        chosen(**settings)


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("session_timeout_ms", 6000, "set consumer.session.timeout.ms of the group"),
        ("heartbeat_interval_ms", 3000, "set consumer.heartbeat.interval.ms of the group"),
        ("partition_assignment_strategy", "range", "or group.remote.assignor"),
    ],
)
def test_what_coordinators_decide_is_refused_beside_the_consumer_protocol(name, value, remedy):
    why = f"configuration {name.replace('_', '.')}: it cannot be set when group.protocol=consumer; "
    with pytest.raises(InvalidSettingError, match=f"{why}.*{remedy}"):
        chosen(group_protocol="Consumer", **{name: value})
    chosen(group_protocol="classic", **{name: value})


def test_a_wrong_name_is_answered_with_the_nearest():
    with pytest.raises(UnknownSettingError, match="group_id"):
        chosen(groupid="g")
