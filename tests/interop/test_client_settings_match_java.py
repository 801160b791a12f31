"""Judge: each setting of Java's clients does something here, or has a reason why it does not."""

from __future__ import annotations

import pytest

from moldau.client import AdminSettings, ConsumerSettings, ProducerSettings, ShareSettings
from moldau.client.arguments.consumer import DESERIALIZERS
from moldau.client.arguments.producer import SERIALIZERS
from moldau.client.settings.client import settings_of
from moldau.client.settings.of_java import JAVA_ONLY
from moldau.config.kinds import show
from moldau.config.refusals import InvalidSettingError
from tests.judges.java_programs import run_java

pytestmark = pytest.mark.judge

KINDS = {"producer": ProducerSettings, "consumer": ConsumerSettings, "admin": AdminSettings}
FUNCTIONS = {name.replace("_", ".") for name in (*SERIALIZERS, *DESERIALIZERS)}
OF_OTHERS = {
    "enable.metrics.push",  # of an admin client: ours pushes nothing, as Java's by default
    "retries",  # of an admin client: a call is tried again until its time is over
    "internal.throw.on.fetch.stable.offset.unsupported",
    *(name for name in ShareSettings.KEYS if name.startswith("share.")),
}
OTHER_DEFAULTS = {"partition.assignment.strategy"}
"""Java's names of the same classes."""


@pytest.fixture(scope="module")
def settings(kafka_libs):
    ran = run_java(kafka_libs, "ListClientSettings")
    assert ran.returncode == 0, ran.stderr
    return [line.split("\t") for line in ran.stdout.splitlines()]


def test_each_name_of_javas_is_a_setting_or_has_a_reason(settings):
    known = {
        client: {*kind.KEYS, *JAVA_ONLY, *FUNCTIONS, *OF_OTHERS} for client, kind in KINDS.items()
    }
    assert [(client, name) for client, name, _ in settings if name not in known[client]] == []
    assert len(settings) > 300


def test_no_reason_is_given_for_a_setting_that_is_there_or_that_java_does_not_have(settings):
    names = {name for _, name, _ in settings}
    ours = {name for kind in (*KINDS.values(), ShareSettings) for name in kind.KEYS}
    assert not JAVA_ONLY.keys() & ours
    assert not JAVA_ONLY.keys() - names


def test_defaults_are_javas(settings):
    different = []
    for client, name, default in settings:
        key = KINDS[client].KEYS.get(name)
        if key is not None and name not in OTHER_DEFAULTS:
            ours = "" if key.default is None else str(show(key.default))
            if ours != default:
                different.append((client, name, ours, default))
    assert different == []


def test_what_is_refused_beside_a_protocol_of_groups_is_javas(kafka_libs):
    ran = run_java(kafka_libs, "RefusedBesideProtocol")
    assert ran.returncode == 0, ran.stderr
    asked = (line.split("\t")[:2] for line in ran.stdout.splitlines())
    javas = {(protocol, name) for protocol, name in asked if not name.startswith("share.")}
    ours = set()
    for protocol in ("classic", "consumer"):
        for name, key in ConsumerSettings.KEYS.items():
            given = {"group.protocol": protocol, name: key.default or "uniform"}
            try:
                settings_of(ConsumerSettings, {"bootstrap.servers": "b1:9092", **given}, {})
            except InvalidSettingError as error:
                if "group.protocol" in str(error):
                    ours.add((protocol, name))
    assert ours == javas
    assert len(javas) > 3
