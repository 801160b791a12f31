"""Passwords that come and go are lines of the log."""

import logging

import pytest

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.security import ScramCredential
from moldau.broker.server.login.credential_changes import LINES_MAX, log_credential_changes

LOGGER = "moldau.broker.server.login.credential_changes"
PASSWORD = ScramCredential(b"salt", b"stored", b"server", 4096)


@pytest.fixture(autouse=True)
def at_info(caplog):
    caplog.set_level(logging.INFO, LOGGER)


def logged(image, **passwords):
    delta = Delta(image)
    for user, password in passwords.items():
        delta.scram.changed[1 if user == "alice" else 2, user] = password
    log_credential_changes(delta)
    return delta.build()


def test_a_password_comes_changes_and_goes(caplog):
    image = logged(Image(), alice=PASSWORD, bob=PASSWORD)
    image = logged(image, alice=PASSWORD._replace(salt=b"other"))
    logged(image, alice=None)
    record = "Replayed UserScramCredentialRecord"
    assert caplog.messages == [
        f"{record} creating new entry for alice with mechanism SCRAM_SHA_256.",
        f"{record} creating new entry for bob with mechanism SCRAM_SHA_512.",
        f"{record} modifying existing entry for alice with mechanism SCRAM_SHA_256.",
        "Replayed RemoveUserScramCredentialRecord for alice with mechanism SCRAM_SHA_256.",
    ]


def test_a_change_of_very_many_users_is_counted(caplog):
    logged(Image(), **{f"user{number}": PASSWORD for number in range(LINES_MAX + 7)})
    assert len(caplog.messages) == LINES_MAX + 1
    assert caplog.messages[-1] == "Replayed 7 more records of SCRAM credentials."


def test_below_the_level_nothing_is_logged(caplog):
    caplog.set_level(logging.WARNING, LOGGER)
    logged(Image(), alice=PASSWORD)
    assert caplog.messages == []
