"""Clients of tools take their settings from a file, and causes are in the words of brokers."""

import pytest

from moldau.client.errors import AccessDeniedError, RefusedError
from moldau.errors import FileMissingError, MoldauError
from moldau.platform.simulated.files import SimulatedFiles
from moldau.programs.tools.kafka.clusters import cause_of, settings_file
from moldau.protocol.wire.error_codes import ErrorCode


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


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (RefusedError("topic a", ErrorCode.TOPIC_ALREADY_EXISTS, "it is there"), "it is there"),
        (
            AccessDeniedError("group g", "READ", ErrorCode.GROUP_AUTHORIZATION_FAILED),
            ErrorCode.GROUP_AUTHORIZATION_FAILED.message,
        ),
        (MoldauError("all of it"), "all of it"),
    ],
)
def test_a_cause_is_what_the_broker_had_to_object(error, cause):
    assert cause_of(error) == cause
