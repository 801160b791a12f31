"""The error codes are Kafka's, and each says in a sentence of ours what happened."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from moldau.protocol.wire.error_codes import ErrorCode, Remedy
from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path

PROGRAM = "ListErrors"
TIMEOUT_S = 100


def ask_java(libs: Path) -> list[str]:
    command = compiled(["java", "-Xmx100m", "-cp", class_path(libs)], PROGRAM)
    run = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.judge
def test_codes_names_and_remedies_are_those_of_kafka(kafka_libs):
    ours = [f"{error.value} {error.name} {error.remedy.name}" for error in ErrorCode]
    assert ours == ask_java(kafka_libs)


@pytest.mark.parametrize("error", ErrorCode, ids=lambda error: error.name)
def test_an_error_says_one_sentence(error):
    assert error.message[0].isupper()
    assert error.message.endswith(".")
    assert len(error.message.split()) > 2 or error is ErrorCode.NONE


def test_no_two_errors_say_the_same():
    assert len({error.message for error in ErrorCode}) == len(ErrorCode)


def test_codes_run_on_without_gaps():
    assert [error.value for error in ErrorCode] == list(range(-1, len(ErrorCode) - 1))


@pytest.mark.parametrize("error", ErrorCode, ids=lambda error: error.name)
def test_every_code_is_read_as_its_error(error):
    assert ErrorCode.read(error.value) is error


@pytest.mark.parametrize("code", [134, 32_767, -2, -32_768])
def test_a_code_of_a_newer_server_is_an_unknown_server_error(code):
    assert ErrorCode.read(code) is ErrorCode.UNKNOWN_SERVER_ERROR


def test_an_error_code_is_the_number_that_stands_on_the_wire():
    assert int(ErrorCode.NOT_LEADER_OR_FOLLOWER) == 6
    assert ErrorCode.UNKNOWN_SERVER_ERROR.to_bytes(2, "big", signed=True) == b"\xff\xff"


@pytest.mark.parametrize(
    ("remedy", "retriable", "refreshes_metadata"),
    [
        (Remedy.GIVE_UP, False, False),
        (Remedy.RETRY, True, False),
        (Remedy.REFRESH, True, True),
        (Remedy.REFIND, True, False),
    ],
)
def test_a_remedy_has_whether_to_ask_again_and_which_broker(remedy, retriable, refreshes_metadata):
    errors = [error for error in ErrorCode if error.remedy is remedy]
    assert errors
    assert {error.retriable for error in errors} == {retriable}
    assert {error.refreshes_metadata for error in errors} == {refreshes_metadata}
