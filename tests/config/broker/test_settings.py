"""What follows from several settings together."""

import pytest

from moldau.config.broker.settings import BrokerSettings

COMBINED = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.listener.names": "CONTROLLER",
    "listeners": "PLAINTEXT://:9092,CONTROLLER://:9093",
}


@pytest.mark.parametrize(
    ("given", "retention_ms"),
    [
        ({}, 604_800_000),
        ({"log.retention.hours": "2"}, 7_200_000),
        ({"log.retention.hours": "2", "log.retention.minutes": "3"}, 180_000),
        ({"log.retention.minutes": "3", "log.retention.ms": "4"}, 4),
        ({"log.retention.hours": "-1"}, -1),
    ],
)
def test_the_finest_unit_that_is_given_counts(given, retention_ms):
    assert BrokerSettings(given).retention_ms == retention_ms


def test_times_of_other_families_follow_the_same_rule():
    settings = BrokerSettings({"log.roll.hours": "1", "log.flush.scheduler.interval.ms": "9"})
    assert (settings.roll_ms, settings.roll_jitter_ms, settings.flush_ms) == (3_600_000, 0, 9)
    exact = {"log.roll.ms": "5", "log.roll.jitter.ms": "6", "log.flush.interval.ms": "7"}
    settings = BrokerSettings(exact)
    assert (settings.roll_ms, settings.roll_jitter_ms, settings.flush_ms) == (5, 6, 7)


def test_listeners_of_brokers_and_of_controllers_are_kept_apart():
    settings = BrokerSettings.of(COMBINED)
    assert [str(listener) for listener in settings.broker_listeners] == ["PLAINTEXT://:9092"]
    assert [str(listener) for listener in settings.controller_listeners] == ["CONTROLLER://:9093"]
    assert settings.advertised == settings.broker_listeners
    assert settings.is_broker
    assert settings.is_controller


def test_what_is_advertised_may_differ():
    settings = BrokerSettings.of({**COMBINED, "advertised.listeners": "PLAINTEXT://kafka:19092"})
    assert [str(listener) for listener in settings.advertised] == ["PLAINTEXT://kafka:19092"]


def test_a_listener_has_settings_of_its_own():
    given = {**COMBINED, "listener.name.plaintext.max.connections": "7", "nonsense": "1"}
    settings = BrokerSettings.of(given)
    assert settings.for_listener("PLAINTEXT").max_connections == 7
    assert settings.for_listener("CONTROLLER").max_connections == 2**31 - 1
    assert settings.unrecognised() == ["nonsense"]


def test_directories_come_from_one_of_two_settings():
    assert BrokerSettings({"log.dir": "/a"}).directories == ("/a",)
    both = BrokerSettings({"log.dir": "/a", "log.dirs": "/b,/c"})
    assert both.directories == ("/b", "/c")
    assert both.metadata_directory == "/b"
    assert BrokerSettings({"metadata.log.dir": "/m"}).metadata_directory == "/m"
