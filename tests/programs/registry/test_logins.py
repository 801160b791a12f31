"""Who asks: the login of a request; the cluster is asked once whether it knows the user."""

from __future__ import annotations

from base64 import b64encode

import pytest

from moldau.config.refusals import SettingError
from moldau.programs.http.messages import HttpError, Request
from moldau.programs.registry.logins import (
    Kind,
    Login,
    authorization_of,
    ends_ms,
    ensure_logins,
    login_settings,
    shown_login,
)
from tests.judges.identity_provider import unsigned


def test_logins_are_read_from_the_header():
    text = b64encode(b"alice:se:cret").decode()
    found = shown_login(Request("GET", "/", headers={"authorization": f"basic {text}"}))
    assert found == Login("alice", "se:cret")
    settings = login_settings({"sasl.mechanism": "SCRAM-SHA-256"}, Login('a"b', "c\\d"))
    assert 'username="a\\"b" password="c\\\\d";' in settings["sasl.jaas.config"]
    assert "ScramLoginModule" in settings["sasl.jaas.config"]


@pytest.mark.parametrize(
    "header",
    ["", "Basic", "Basic %", "Bearer", "Bearer a b", 'Bearer a"b', "Basic eHk=", "Basic Ong="],
)
def test_what_is_no_login_is_refused(header):
    with pytest.raises(HttpError) as error:
        shown_login(Request("GET", "/", headers={"authorization": header}))
    assert (error.value.status, error.value.code) == (401, 40101)


def test_logins_need_a_cluster_that_asks_for_them():
    with pytest.raises(SettingError, match=r"security\.protocol"):
        ensure_logins({})
    ensure_logins({"security.protocol": "sasl_ssl"})


def test_a_token_is_read_from_the_header_and_is_the_clients():
    token = unsigned({"sub": "alice", "exp": 100})
    found = shown_login(Request("GET", "/", headers={"authorization": f"Bearer {token}"}))
    assert (found, ends_ms(found)) == (Login("alice", token, Kind.BEARER), 100_000)
    settings = login_settings({"sasl.mechanism": "PLAIN", "sasl.jaas.config": "own"}, found)
    assert settings["sasl.mechanism"] == "OAUTHBEARER"
    assert f'oauth.access.token="{token}";' in settings["sasl.jaas.config"]
    assert authorization_of(found) == f"Bearer {token}"
    opaque = shown_login(Request("GET", "/", headers={"authorization": "bearer abc"}))
    assert (ends_ms(opaque), opaque.user) != (None, "abc"), "a token is no name that is shown"


def test_a_cluster_of_tokens_takes_no_password():
    with pytest.raises(HttpError, match="log in with a token"):
        login_settings({"sasl.mechanism": "OAUTHBEARER"}, Login("alice", "secret"))


def test_a_delegation_token_logs_in_by_scram():
    login = Login("id", "hmac", Kind.DELEGATED)
    for own, by in (("PLAIN", "SCRAM-SHA-256"), ("SCRAM-SHA-512", "SCRAM-SHA-512")):
        settings = login_settings({"sasl.mechanism": own}, login)
        assert settings["sasl.mechanism"] == by
        assert 'username="id" password="hmac" tokenauth="true";' in settings["sasl.jaas.config"]
