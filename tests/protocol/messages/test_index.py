"""The table of all messages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from moldau.errors import DecodeError
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.index import APIS, BY_KEY, OTHERS, all_messages, message_named
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.construct import blank

REMOVED = {4, 5, 6, 7}
"""The keys of the ZooKeeper days, reserved for ever."""


def test_every_api_has_its_place_and_its_pair():
    assert [api.key for api in APIS] == list(range(93))
    for api in APIS:
        assert (api.key, api.key) == (api.request.KEY, api.response.KEY)
        assert api.request.VERSIONS == api.response.VERSIONS


def test_what_is_known_without_the_class_is_what_the_class_says():
    for api in APIS:
        assert (api.name, api.versions) == (api.name, api.request.VERSIONS)
        assert (api.name, api.unstable) == (api.name, str(api.request.UNSTABLE))
        assert (api.name, api.on_brokers) == (api.name, "broker" in api.request.LISTENERS)


def test_the_versions_of_all_apis_are_known_without_a_class():
    program = (
        "import sys; from moldau.protocol.messages.index import APIS;"
        "assert all(api.versions for api in APIS);"
        "print(sum(m.startswith('moldau.protocol.messages.') for m in sys.modules))"
    )
    counted = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert counted.stdout == b"1\n"


def test_only_the_removed_apis_have_no_versions():
    empty = {api.key for api in APIS if not list(api.request.VERSIONS.each())}
    assert empty == REMOVED


def test_a_message_is_found_by_key_and_by_name():
    assert BY_KEY[0].request is ProduceRequest
    assert message_named("ProduceRequest") is ProduceRequest
    assert message_named("VotersRecord").__name__ == "VotersRecord"
    with pytest.raises(KeyError):
        message_named("NoSuchRequest")


def test_no_name_stands_twice():
    names = [message.__name__ for message in all_messages()]
    assert len(names) == len(set(names)) == 280
    assert len(names) == 2 * len(APIS) + sum(map(len, OTHERS.values()))


def test_looking_up_one_message_imports_no_other():
    program = (
        "import sys; from moldau.protocol.messages.index import BY_KEY; BY_KEY[0].request;"
        "print([m for m in sys.modules if m.startswith('moldau.protocol.messages.')])"
    )
    listed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert sorted(eval(listed)) == [
        "moldau.protocol.messages.data",
        "moldau.protocol.messages.data.produce",
        "moldau.protocol.messages.index",
    ]


def test_every_version_of_every_message_comes_back_with_its_defaults():
    for message in all_messages():
        for version in message.VERSIONS.each():
            written = blank(message)
            assert decode(message, version, encode(written, version)) == written


def test_no_version_of_any_message_takes_an_empty_frame_for_more_than_nothing():
    for message in all_messages():
        for version in message.VERSIONS.each():
            if encode(blank(message), version):
                with pytest.raises(DecodeError, match="cut off"):
                    decode(message, version, b"")
