"""Logins at an identity provider: a node that takes its tokens, and a test that is the browser."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.console.serving.sessions import SessionRouter
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route, Router
from tests.interop.running_node import running_node
from tests.judges.identity_provider import new_key
from tests.judges.logins import ADMIN, ALICE, java_settings, written
from tests.programs.console.login_provider import CLIENT, LoginProvider, settings_of_node
from tests.programs.console.running_console import OURS, RunningConsole

RULE = {"principal": f"User:{ALICE}", "permission": "allow", "kind": "topic", "name": "pay"}


@pytest.fixture(scope="module")
def provider():
    with LoginProvider() as provider:
        yield provider


@pytest.fixture(autouse=True)
def _as_it_should_be(provider):
    yield
    provider.id_claims, provider.access_claims, provider.id_key = {}, {}, None


@pytest.fixture(scope="module")
def guarded(tmp_path_factory, provider):
    folder = tmp_path_factory.mktemp("sessions")
    client = written(folder / "client.properties", java_settings())
    oidc = written(folder / "oidc.properties", provider.settings_of_console())
    with running_node(folder, **settings_of_node(provider)) as bootstrap:
        command = ["console", "--bootstrap-server", bootstrap, "--command-config", str(client)]
        more = ["--listen", "127.0.0.1:0", "--oidc-config", str(oidc)]
        running = RunningConsole(folder, *command, *more)
        yield running
        running.stop()


class Browser:
    """With the cookies of one console."""

    def __init__(self, console):
        self._console = console
        self.cookies = {}

    def open(self, path, method="GET", headers=OURS, body=None):
        shown = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        found = self._console.raw(method, path, body, {**headers, "Cookie": shown})
        if set_cookie := found[1].get("Set-Cookie"):
            name, _, value = set_cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return found

    def log_in(self, provider, user, to="/ui"):
        """What the callback answers."""
        _, headers, _ = self.open(f"/login?to={quote(to, safe='')}")
        code, state = provider.login(headers["Location"], user)
        return self.open(f"/login/callback?code={quote(code)}&state={state}")

    def api(self, path, body=None):
        method = "GET" if body is None else "POST"
        status, _, data = self.open(f"/api{path}", method, body=body)
        return status, json.loads(data)


def message(answer):
    status, _, data = answer
    return status, json.loads(data)["message"]


def test_a_page_leads_to_the_login_and_back_and_the_cluster_decides_by_the_users_rules(
    guarded, provider
):
    browser, admin = Browser(guarded), Browser(guarded)
    status, headers, _ = browser.open("/ui/topics?find=a%20b")
    assert (status, headers["Location"]) == (302, "/login?to=%2Fui%2Ftopics%3Ffind%3Da%2520b")
    status, headers, _ = browser.log_in(provider, ALICE, "/ui/topics?find=a%20b")
    assert (status, headers["Location"]) == (302, "/ui/topics?find=a%20b")
    assert browser.open("/ui/topics")[0] == 200
    about = browser.api("")[1]
    assert (about["user"], about["can_log_out"]) == (ALICE, True)
    assert browser.api("/acls")[0] == 403
    admin.log_in(provider, ADMIN)
    admin.api("/changes/create-topic", {"topic": "pay", "partitions": 1})
    assert browser.api("/topics/pay")[0] in (403, 404)
    assert admin.api("/changes/add-acl", {**RULE, "operation": "describe"})[0] == 200
    assert "pay" in [row[0] for row in browser.api("/topics")[1]["rows"]]


def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(guarded, provider):
    browser = Browser(guarded)
    for headers in (browser.open("/login")[1], browser.log_in(provider, ALICE)[1]):
        parts = headers["Set-Cookie"].split("; ")
        assert parts[0].startswith(("__Host-login=", "__Host-session="))
        assert {"HttpOnly", "SameSite=Lax", "Secure", "Path=/"} <= set(parts)
    before = browser.cookies["__Host-session"]
    browser.log_in(provider, ALICE)
    assert browser.cookies["__Host-session"] != before
    forged = browser.open("/api/logout", "POST", {"Content-Type": "text/plain"})
    assert forged[0] == 403
    assert browser.api("")[0] == 200


def test_who_has_no_session_gets_nothing_and_no_question_for_a_password(guarded):
    for cookie in ("", "a" * 43):
        browser = Browser(guarded)
        browser.cookies["__Host-session"] = cookie
        status, headers, _ = browser.open("/api/topics")
        assert (status, headers["X-Moldau-Login"]) == (401, "/login")
        assert "WWW-Authenticate" not in headers


def test_a_session_ends_when_its_user_logs_out(guarded, provider):
    browser = Browser(guarded)
    browser.log_in(provider, ALICE)
    kept = dict(browser.cookies)
    assert browser.open("/api/logout", "POST")[0] == 204
    browser.cookies = kept
    assert browser.api("")[0] == 401


def test_a_code_counts_once_and_in_the_browser_that_began_alone(guarded, provider):
    browser, other = Browser(guarded), Browser(guarded)
    other.open("/login")
    code, state = provider.login(browser.open("/login")[1]["Location"], ALICE)
    callback = f"/login/callback?code={quote(code)}&state={state}"
    assert message(other.open(callback))[0] == 403
    assert "another browser" in message(Browser(guarded).open(_again(browser, provider)))[1]
    again = _again(browser, provider)
    assert browser.open(again)[0] == 302
    assert message(browser.open(again)) == (
        403,
        "This login is over, or was never begun: open /login again",
    )


def _again(browser, provider):
    code, state = provider.login(browser.open("/login")[1]["Location"], ALICE)
    return f"/login/callback?code={quote(code)}&state={state}"


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"nonce": "of another login"}, "nonce"),
        ({"nonce": None}, "nonce"),
        ({"aud": "another client"}, "aud"),
        ({"aud": [CLIENT, "another client"]}, "azp"),
        ({"azp": "another client"}, "azp"),
        ({"iss": "https://another.example"}, "iss"),
        ({"exp": 1}, "expired"),
        ({"sub": None}, "sub"),
    ],
)
def test_an_id_token_of_another_login_client_or_issuer_is_refused(
    guarded, provider, claims, reason
):
    browser = Browser(guarded)
    provider.id_claims = claims
    status, text = message(browser.log_in(provider, ALICE))
    assert (status, reason in text) == (403, True), text
    assert "__Host-session" not in browser.cookies


def test_an_id_token_by_another_key_is_refused(guarded, provider):
    provider.id_key = new_key(provider.keys[-1].kid)
    status, text = message(Browser(guarded).log_in(provider, ALICE))
    assert (status, "signature" in text) == (403, True), text


def test_a_token_that_the_cluster_refuses_is_a_sentence_and_no_loop(guarded, provider):
    browser = Browser(guarded)
    provider.access_claims = {"aud": "another cluster"}
    browser.log_in(provider, ALICE)
    status, text = message(browser.open("/api"))
    assert (status, "does not accept this token" in text) == (403, True), text


@pytest.mark.parametrize(
    "to", ["https://evil.example", "//evil.example", "/uix", "/ui\\@evil", "/ui/\r\nX: y"]
)
def test_a_login_leads_to_no_other_place(guarded, provider, to):
    status, headers, _ = Browser(guarded).log_in(provider, ALICE, to)
    assert status == 302
    assert headers["Location"] in ("/ui", "/ui/%0D%0AX:%20y")


class KnownProvider:
    """Lets every client in."""

    settings = SimpleNamespace(is_secure=False, issuer="https://login")

    async def login_url(self, state, nonce, verifier):
        return state

    async def granted(self, code, nonce, verifier):
        return SimpleNamespace(access_token="token", ends_ms=None)


def test_a_live_tail_ends_when_its_user_logs_out():
    async def tail(_request):
        async def pieces():
            yield b"first"
            yield b"second"

        return Response(pieces=pieces())

    inner: Any = Router([Route("GET", "/tail", tail)])
    provider: Any = KnownProvider()
    router = SessionRouter(inner, provider, SimulatedClock(), SeededRandom(1))

    async def asked(method, path, cookie="", **query):
        found, _ = router.find(method, path)
        answer: Any = found(Request(method, path, query, {"cookie": cookie}))
        return answer if isinstance(answer, Response) else await answer

    async def main():
        begun = await asked("GET", "/login")
        state, cookie = begun.headers["Location"], begun.headers["Set-Cookie"]
        done = await asked("GET", "/login/callback", cookie, state=[state], code=["x"])
        cookie = done.headers["Set-Cookie"]
        stream = (await asked("GET", "/tail", cookie)).pieces
        assert await anext(stream) == b"first"
        await asked("POST", "/api/logout", cookie)
        with pytest.raises(HttpError, match="The login is over"):
            await anext(stream)

    asyncio.run(main())
