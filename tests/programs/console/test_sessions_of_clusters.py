"""One login at an identity provider for several clusters: each decides for itself."""

from __future__ import annotations

import pytest

from tests.judges.identity_provider import AUDIENCE
from tests.judges.logins import ADMIN, ALICE, java_settings, written
from tests.programs.console.guarded_nodes import guarded_nodes
from tests.programs.console.login_provider import LoginProvider, settings_of_node
from tests.programs.console.running_console import RunningConsole
from tests.programs.console.serving.test_sessions import Browser, message

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]
AUDIENCES = {"east": AUDIENCE, "west": AUDIENCE, "north": "only the north"}
"""What a token has to be for; one that is for the others is refused in the north."""


@pytest.fixture(scope="module")
def provider():
    with LoginProvider() as provider:
        yield provider


@pytest.fixture(scope="module")
def console(tmp_path_factory, provider):
    folder = tmp_path_factory.mktemp("console")
    client = written(folder / "client.properties", java_settings())
    oidc = written(folder / "oidc.properties", provider.settings_of_console())
    settings = {name: settings_of_node(provider, one) for name, one in AUDIENCES.items()}
    with guarded_nodes(tmp_path_factory, settings) as clusters:
        flags = ("--config", str(clusters), "--command-config", str(client))
        more = ("--oidc-config", str(oidc), "--listen", "127.0.0.1:0")
        running = RunningConsole(folder, "console", *flags, *more)
        yield running
        running.stop()


def logged_in(console, provider, user, to="/ui/clusters/east"):
    browser = Browser(console)
    status, headers, _ = browser.log_in(provider, user, to)
    assert (status, headers["Location"]) == (302, to)
    return browser


def test_a_page_of_any_cluster_leads_to_the_one_login_and_back_to_it(console, provider):
    browser = Browser(console)
    status, headers, _ = browser.open("/ui/clusters/west/topics")
    assert (status, headers["Location"]) == (302, "/login?to=%2Fui%2Fclusters%2Fwest%2Ftopics")
    browser = logged_in(console, provider, ALICE, "/ui/clusters/west/topics")
    for name in ("east", "west"):
        about = browser.api(f"/clusters/{name}")[1]
        assert (about["cluster"], about["user"], about["can_log_out"]) == (name, ALICE, True)


def test_each_cluster_decides_for_the_user_by_its_own_rules(console, provider):
    admin, alice = logged_in(console, provider, ADMIN), logged_in(console, provider, ALICE)
    for name in ("east", "west"):
        made = {"topic": "pay", "partitions": 1}
        assert admin.api(f"/clusters/{name}/changes/create-topic", made)[0] == 200
    rule = {"principal": f"User:{ALICE}", "permission": "allow", "kind": "topic", "name": "pay"}
    allowed = {**rule, "operation": "describe"}
    assert admin.api("/clusters/east/changes/add-acl", allowed)[0] == 200
    assert alice.api("/clusters/east/topics/pay")[0] == 200
    assert alice.api("/clusters/west/topics/pay")[0] == 403
    assert {line["user"] for line in admin.api("/clusters/west/audit")[1]} == {ADMIN}


def test_a_cluster_that_refuses_the_token_ends_no_login_at_the_others(console, provider):
    alice = logged_in(console, provider, ALICE)
    for path in ("", "/cluster", "/topics"):
        status, text = message(alice.open(f"/api/clusters/north{path}"))
        assert (status, "does not accept this token" in text) == (403, True), text
    assert alice.api("/clusters/east")[1]["user"] == ALICE


def test_who_is_refused_everywhere_can_log_in_as_another_one(console, provider):
    alice = logged_in(console, provider, ALICE)
    status, headers, _ = alice.open("/api/clusters/north")
    assert (status, headers["X-Moldau-Login"]) == (403, "/login")
    alice.log_in(provider, ADMIN)
    assert alice.api("/clusters/east")[1]["user"] == ADMIN


def test_a_topic_is_copied_to_another_cluster_by_the_same_login(console, provider):
    admin = logged_in(console, provider, ADMIN)
    assert admin.api("/clusters/east/changes/create-topic", {"topic": "source"})[0] == 200
    sent = {"topic": "source", "value": "one"}
    assert admin.api("/clusters/east/changes/produce", sent)[0] == 200
    copy = {"topic": "source", "to": "copied", "from_cluster": "east", "records": True}
    status, found = admin.api("/clusters/west/changes/copy-topic", copy)
    assert (status, found["result"]["records"]) == (200, 1), found


def test_who_logs_out_is_logged_out_of_all(console, provider):
    alice = logged_in(console, provider, ALICE)
    kept = dict(alice.cookies)
    assert alice.open("/api/logout", "POST")[0] == 204
    alice.cookies = kept
    assert [alice.api(f"/clusters/{name}")[0] for name in ("east", "west")] == [401, 401]
