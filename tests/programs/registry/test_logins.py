"""Who asks: the login of a request; the cluster is asked once whether it knows the user."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from moldau.client.errors import RefusedError
from moldau.config.refusals import SettingError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.programs.http.front import Rates
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route, Router
from moldau.programs.registry.logins import (
    Login,
    LoginRouter,
    authorization_of,
    basic_login,
    ensure_logins,
    login_settings,
)
from moldau.protocol.wire.error_codes import ErrorCode


def test_logins_are_read_from_the_header():
    text = b64encode(b"alice:se:cret").decode()
    found = basic_login(Request("GET", "/", headers={"authorization": f"basic {text}"}))
    assert found == Login("alice", "se:cret")
    settings = login_settings({"sasl.mechanism": "SCRAM-SHA-256"}, Login('a"b', "c\\d"))
    assert 'username="a\\"b" password="c\\\\d";' in settings["sasl.jaas.config"]
    assert "ScramLoginModule" in settings["sasl.jaas.config"]


@pytest.mark.parametrize(
    "header", ["", "Basic", "Basic %", "Bearer eDp5", "Basic eHk=", "Basic Ong="]
)
def test_what_is_no_login_is_refused(header):
    with pytest.raises(HttpError) as error:
        basic_login(Request("GET", "/", headers={"authorization": header}))
    assert (error.value.status, error.value.code) == (401, 40101)


class Tenant:
    """Of a cluster that knows alice alone."""

    def __init__(self, login):
        self.login = login
        self.users = 0
        self.router = Router([Route("GET", "/who", lambda _: Response(login.user.encode()))])
        self.logged_in = 0
        self.is_used = False
        self.is_closed = False

    async def log_in(self):
        self.logged_in += 1
        if self.login != Login("alice", "secret"):
            raise RefusedError("the login", ErrorCode.SASL_AUTHENTICATION_FAILED)

    async def close(self):
        self.is_closed = True


def test_a_user_is_looked_up_once_and_a_stranger_is_refused_each_time():
    made: list[Tenant] = []

    def tenant(login):
        made.append(Tenant(login))
        return made[-1]

    async def story(tasks):
        router = LoginRouter(tasks, tenant)
        found = []
        for login in (Login("alice", "secret"), Login("alice", "wrong"), Login("alice", "secret")):
            headers = {"authorization": authorization_of(login)}
            handler, _ = router.find("GET", "/who")
            try:
                answer: Any = handler(Request("GET", "/who", headers=headers))
                found.append((await answer).body)
            except HttpError as error:
                found.append(error.code)
        await router.close()
        return found

    assert run(story, SimulatedClock()) == [b"alice", 40101, b"alice"]
    assert [(one.logged_in, one.is_closed) for one in made] == [(1, True), (1, True)]


def test_each_user_has_a_limit_wherever_the_requests_come_from():
    async def story(tasks):
        router = LoginRouter(tasks, Tenant, Rates(SimulatedClock(), 1))
        headers = {"authorization": authorization_of(Login("alice", "secret"))}
        found = []
        for peer in ("one", "two"):
            request = Request("GET", "/who", headers=headers, peer=peer)
            answer: Any = router.find("GET", "/who")[0](request)
            try:
                found.append((await answer).status)
            except HttpError as error:
                found.append(error.status)
        await router.close()
        return found

    assert run(story, SimulatedClock()) == [200, 429]


def test_logins_need_a_cluster_that_asks_for_them():
    with pytest.raises(SettingError, match=r"security\.protocol"):
        ensure_logins({})
    ensure_logins({"security.protocol": "sasl_ssl"})
