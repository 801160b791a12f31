"""Which versions this client writes."""

from __future__ import annotations

from importlib import import_module
from inspect import isclass
from pkgutil import walk_packages

import pytest

from moldau.client import core
from moldau.client.core.versions import LEAST, choose_version
from moldau.client.errors import UnsupportedVersionError
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.index import message_named
from moldau.protocol.wire.schema import Request
from moldau.protocol.wire.versions import Versions
from tests.client.core.versions_of_kafka_3_1 import ABSENT, NEWEST, SPOKEN


@pytest.mark.parametrize(("theirs", "chosen"), [((4, 17), 17), ((0, 99), 18), ((13, 13), 13)])
def test_the_newest_version_that_both_know_is_chosen(theirs, chosen):
    assert choose_version(FetchRequest, {1: Versions(*theirs)}) == chosen


@pytest.mark.parametrize("spoken", [{}, {1: Versions(0, 12)}, {1: Versions(19, 20)}])
def test_where_there_is_none_the_sentence_says_who_speaks_what(spoken):
    with pytest.raises(UnsupportedVersionError, match=r"FetchRequest.*13-18.*Kafka 3\.1"):
        choose_version(FetchRequest, spoken)


def test_the_least_versions_are_among_those_that_there_are():
    for name, least in LEAST.items():
        assert least in message_named(name).VERSIONS


def asked_for() -> dict[str, type[Request]]:
    """Every request that the core of the client sends."""
    return {
        value.__name__: value
        for module in walk_packages(core.__path__, f"{core.__name__}.")
        for name, value in vars(import_module(module.name)).items()
        if isclass(value) and issubclass(value, Request) and value is not Request
    }


def test_what_a_broker_of_3_1_has_is_asked_in_a_version_that_it_has():
    asked = asked_for()
    assert len(asked) > 40
    for name, kind in asked.items():
        if name not in ABSENT:
            assert choose_version(kind, SPOKEN) <= NEWEST[kind.KEY]


def test_what_it_has_not_is_refused_with_the_reason():
    asked = asked_for()
    for name in ABSENT & set(asked):
        with pytest.raises(UnsupportedVersionError, match="the broker does not have it"):
            choose_version(asked[name], SPOKEN)
    assert set(asked) >= {"ConsumerGroupHeartbeatRequest", "ShareFetchRequest"}
