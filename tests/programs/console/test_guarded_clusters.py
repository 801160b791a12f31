"""Two clusters with logins and rules of their own: each decides, and keeps its passwords."""

from __future__ import annotations

import pytest

from moldau.programs.registry.logins import Login, authorization_of
from tests.judges.logins import (
    ADMIN,
    ADMIN_PASSWORD,
    ALICE,
    ALICE_PASSWORD,
    LISTENER,
    java_settings,
    written,
)
from tests.programs.console.guarded_nodes import guarded_nodes
from tests.programs.console.running_console import OURS, RunningConsole
from tests.programs.console.test_guarded import GUARDED, RULE

BOB, BOB_PASSWORD = "bob", "of both"
PLAIN = f"{LISTENER}plain.sasl.jaas.config"
USERS = GUARDED[PLAIN].removesuffix(";") + f' user_{BOB}="{BOB_PASSWORD}";'
"""Bob is known at both, and opens one."""
pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def console(tmp_path_factory):
    folder = tmp_path_factory.mktemp("console")
    client = written(folder / "client.properties", java_settings())
    settings = {name: {**GUARDED, PLAIN: USERS} for name in ("east", "west")}
    with guarded_nodes(tmp_path_factory, settings) as clusters:
        flags = ("--config", str(clusters), "--command-config", str(client), "--logins")
        running = RunningConsole(folder, "console", *flags, "--listen", "127.0.0.1:0")
        yield running
        running.stop()


class User:
    """Of one of the clusters."""

    def __init__(self, console, cluster, user, password):
        self._console = console
        self._root = f"/clusters/{cluster}"
        self._login = {"Authorization": authorization_of(Login(user, password))}

    def ask(self, method, path, body=None):
        headers = {**OURS, **self._login}
        return self._console.raw(method, f"/api{self._root}{path}", body, headers)

    def change(self, kind, /, **given):
        status, _, data = self.ask("POST", f"/changes/{kind}", given)
        return status, data.decode()


def test_each_cluster_asks_for_a_login_and_decides_by_its_own_rules(console):
    assert console.raw("GET", "/ui/clusters/west/topics")[0] == 200
    status, headers, _ = console.raw("GET", "/api/clusters/west/topics")
    assert (status, headers["WWW-Authenticate"]) == (401, 'Basic realm="west"')
    for cluster in ("east", "west"):
        admin = User(console, cluster, ADMIN, ADMIN_PASSWORD)
        assert admin.change("create-topic", topic="pay")[0] == 200
    admin = User(console, "east", ADMIN, ADMIN_PASSWORD)
    for operation in ("read", "describe"):
        assert admin.change("add-acl", **RULE, operation=operation)[0] == 200
    for cluster, expected in (("east", 200), ("west", 403)):
        alice = User(console, cluster, ALICE, ALICE_PASSWORD)
        assert alice.ask("GET", "/topics/pay")[0] == expected


def test_a_copy_is_made_by_who_may_read_there_and_create_here(console):
    east = User(console, "east", ADMIN, ADMIN_PASSWORD)
    assert east.change("create-topic", topic="source")[0] == 200
    assert east.change("produce", topic="source", value="one")[0] == 200
    copy = {"topic": "source", "to": "copied", "from_cluster": "east", "records": True}
    alice = User(console, "west", ALICE, ALICE_PASSWORD)
    status, sentence = alice.change("copy-topic", **copy)
    assert status == 403, sentence
    status, answer = User(console, "west", ADMIN, ADMIN_PASSWORD).change("copy-topic", **copy)
    assert (status, '"records":1' in answer.replace(" ", "")) == (200, True), answer
    lines = User(console, "west", ADMIN, ADMIN_PASSWORD).ask("GET", "/audit")[2].decode()
    assert "export" in lines
    assert "export" not in east.ask("GET", "/audit")[2].decode()


def test_a_password_of_one_cluster_is_not_tried_at_the_other(console):
    """Its user has to open the other one first."""
    bob = User(console, "east", BOB, BOB_PASSWORD)
    assert bob.ask("GET", "/topics")[0] == 200
    copy = {"topic": "source", "to": "mine", "from_cluster": "west"}
    status, sentence = bob.change("copy-topic", **copy)
    assert (status, "have not logged in at west" in sentence) == (403, True), sentence
