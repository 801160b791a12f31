"""Which versions this client writes."""

from __future__ import annotations

import pytest

from moldau.client.core.versions import LEAST, choose_version
from moldau.client.errors import UnsupportedVersionError
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.index import message_named
from moldau.protocol.wire.versions import Versions


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
