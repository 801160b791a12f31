"""Clients of tools take their settings from a file."""

import pytest

from moldau.errors import FileMissingError
from moldau.platform.simulated.files import SimulatedFiles
from moldau.programs.tools.kafka.clusters import connection_settings, pairs_of, settings_file


def test_a_file_of_settings_is_read():
    files = SimulatedFiles()
    with_text = files.open("/client.properties", create=True)
    with_text.append(b"client.id=me\n# nothing\nrequest.timeout.ms = 5\n")
    with_text.close()
    assert settings_file(files, "/client.properties") == {
        "client.id": "me",
        "request.timeout.ms": "5",
    }


def test_without_a_file_nothing_is_set():
    assert settings_file(SimulatedFiles(), None) == {}


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(FileMissingError, match=r"/none\.properties"):
        settings_file(SimulatedFiles(), "/none.properties")


def test_a_pair_without_a_value_has_an_empty_one():
    assert pairs_of(["a=b=c", "d"]) == {"a": "b=c", "d": ""}


def test_an_admin_client_connects_with_what_a_producer_was_given():
    given = {"bootstrap.servers": "a:1", "ssl.ca.location": "ca", "acks": "all", "linger.ms": "5"}
    assert connection_settings(given) == {"bootstrap.servers": "a:1", "ssl.ca.location": "ca"}
