"""Judge: Kafka's own definitions of settings say what ours say, key by key."""

from __future__ import annotations

import pytest

from moldau.config.broker.settings import BrokerSettings
from moldau.config.client_metrics import ClientMetricsSettings
from moldau.config.group import GroupSettings
from moldau.config.key import Scope
from moldau.config.topic import TopicSettings
from moldau.config.topic_defaults import SYNONYMS
from tests.judges.java_programs import run_java

pytestmark = pytest.mark.judge

CLASSES = {
    "broker": BrokerSettings,
    "topic": TopicSettings,
    "group": GroupSettings,
    "client-metrics": ClientMetricsSettings,
}
DYNAMIC_ONLY = {
    "leader.replication.throttled.rate",
    "follower.replication.throttled.rate",
    "replica.alter.log.dirs.io.max.bytes.per.second",
}
"""Kafka defines these apart, for they stand in no file."""
WITHOUT_DEFAULT = {"node.id", "process.roles", "controller.listener.names"}
"""Kafka has none for them; ours stands for `not given`, and `of` asks for them."""


@pytest.fixture(scope="module")
def lines(kafka_libs):
    ran = run_java(kafka_libs, "ListSettings")
    assert ran.returncode == 0, ran.stderr
    return [line.split("\t") for line in ran.stdout.splitlines()]


@pytest.fixture(scope="module")
def keys(lines):
    return [line[1:] for line in lines if line[0] == "key"]


@pytest.mark.parametrize("owner", CLASSES)
def test_the_same_settings_exist(keys, owner):
    theirs = {name for of, name, *_ in keys if of == owner}
    ours = {name for name, key in CLASSES[owner].KEYS.items() if not key.own}
    assert ours - DYNAMIC_ONLY == theirs


def test_no_setting_of_our_own_has_a_name_of_kafkas(keys):
    own = {key.name for key in BrokerSettings.KEYS.values() if key.own}
    assert own
    assert own & {name for _, name, *_ in keys} == set()


@pytest.mark.parametrize("owner", CLASSES)
def test_types_defaults_and_ranks_are_the_same(keys, owner):
    wrong = []
    for of, name, kind, has_default, default, rank, internal in keys:
        if of != owner or name in WITHOUT_DEFAULT:
            continue
        key = CLASSES[owner].KEYS[name]
        theirs = (kind, default if has_default == "some" else None, rank, internal == "true")
        ours = (key.kind.name.upper(), key.default_text, key.rank.upper(), key.internal)
        if ours != theirs:
            wrong.append(f"{name}: ours {ours}, Kafka's {theirs}")
    assert wrong == []


def test_the_same_settings_may_change_while_a_broker_runs(lines):
    theirs = {line[1]: line[2] for line in lines if line[0] == "scope"}
    ours = {
        key.name: key.scope.value
        for key in BrokerSettings.KEYS.values()
        if key.scope is not Scope.RESTART and not key.own
    }
    assert ours == theirs


def test_a_topics_settings_have_the_same_names_at_the_broker(lines):
    assert dict(line[1:] for line in lines if line[0] == "synonym") == SYNONYMS
