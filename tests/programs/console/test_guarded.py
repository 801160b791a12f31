"""The console before a cluster with logins and access rules: the cluster decides, user by user."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from moldau.programs.registry.logins import Login, authorization_of
from tests.judges.logins import (
    ADMIN,
    ADMIN_PASSWORD,
    ALICE,
    ALICE_PASSWORD,
    java_settings,
    node_settings,
    written,
)
from tests.judges.moldau_node import MoldauNode
from tests.programs.console.running_console import OURS, RunningConsole
from tests.programs.pipelines.test_state import checkpoint_of

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]
GUARDED = node_settings(
    authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    super_users=f"User:{ADMIN}",
)
RULE = {"principal": f"User:{ALICE}", "permission": "allow", "kind": "topic", "name": "pay"}


class Console(RunningConsole):
    """Asked as one user."""

    def __init__(self, place, *login):
        self.place = place
        self._login = {"Authorization": authorization_of(Login(*login))} if login else {}

    def raw(self, method, path, body=None, headers=OURS):
        return super().raw(method, path, body, {**headers, **self._login})


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    node = MoldauNode(tmp_path_factory.mktemp("guarded"), settings=GUARDED)
    node.start()
    yield node
    node.stop()


def started(node, *flags):
    """The process and where it serves."""
    client = written(node.folder / "client.properties", java_settings())
    command = ["console", "--bootstrap-server", node.bootstrap, "--command-config", str(client)]
    process = subprocess.Popen(
        [sys.executable, "-m", "moldau", *command, "--listen", "127.0.0.1:0", *flags],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if found := RunningConsole.PLACE.search(line):
            return process, found[1]
    raise AssertionError("the console did not start")


@pytest.fixture(scope="module")
def place(node, tmp_path_factory):
    checkpoint = checkpoint_of(tmp_path_factory.mktemp("pipeline"), 1, "landed")
    process, place = started(node, "--logins", "--mask", "pay:card", "--pipeline", checkpoint)
    yield place
    process.terminate()
    process.communicate()


def test_who_does_not_log_in_sees_nothing(place):
    for login in ((), (ALICE, "wrong")):
        status, headers, _ = Console(place, *login).raw("GET", "/api/topics")
        assert status == 401
        assert re.match("basic", headers["WWW-Authenticate"], re.IGNORECASE)
        assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_the_rules_of_the_cluster_decide_what_a_user_sees_and_changes(place):
    admin, alice = Console(place, ADMIN, ADMIN_PASSWORD), Console(place, ALICE, ALICE_PASSWORD)
    admin.make("pay")
    admin.send("pay", '{"card": "4111", "sum": 7}')
    assert [row for row in alice.get("/topics")["rows"] if row[0] == "pay"] == []
    body = {"topic": "hers"}
    status, sentence = alice.refusal("POST", "/changes/create-topic/plan", body)
    assert (status, "can grant CREATE on the topic" in sentence) == (403, True)
    assert alice.refusal("GET", "/acls")[0] == 403
    for operation in ("read", "describe"):
        admin.run("add-acl", **RULE, operation=operation)
    (record,) = alice.get("/topics/pay/records")["records"]
    assert record["value"]["text"] == '{"card": "•••", "sum": 7}'
    body = {"topic": "pay", "value": "hers"}
    status, sentence = alice.refusal("POST", "/changes/produce", body)
    assert (status, "or WRITE on the topic" in sentence) == (403, True)
    status, sentence = alice.refusal("POST", "/changes/delete-topic", {"topic": "pay"})
    assert (status, "can grant DELETE on the topic" in sentence) == (403, True)
    assert (alice.get("")["user"], alice.get("/audit")[0]["user"]) == (ALICE, ALICE)


def test_a_rule_is_removed_once_and_then_the_refusal_says_where_those_are_that_there_are(place):
    admin = Console(place, ADMIN, ADMIN_PASSWORD)
    rule = {**RULE, "name": "removed", "operation": "read"}
    admin.run("add-acl", **rule)
    other = {**rule, "operation": "write"}
    for body in (other, {**rule, "host": "10.0.0.1"}, {**rule, "pattern": "prefixed"}):
        status, sentence = admin.refusal("POST", "/changes/remove-acl/plan", body)
        assert (status, "the page Access rules has those" in sentence) == (404, True)
    assert "--remove --force" in admin.run("remove-acl", **rule)["command"]
    assert admin.refusal("POST", "/changes/remove-acl/plan", rule)[0] == 404


def test_who_may_not_describe_the_topic_sees_no_pipeline(place):
    admin, alice = Console(place, ADMIN, ADMIN_PASSWORD), Console(place, ALICE, ALICE_PASSWORD)
    admin.make("landed")
    (shown,) = admin.get("/pipelines")
    assert (shown["topic"], shown["problem"]) == ("landed", None)
    assert alice.get("/pipelines") == []
    admin.run("add-acl", **{**RULE, "name": "landed"}, operation="describe")
    (shown,) = alice.get("/pipelines")
    assert shown["read"] == 10


def test_a_page_of_another_site_changes_nothing_though_the_browser_knows_the_password(place):
    admin = Console(place, ADMIN, ADMIN_PASSWORD)
    for headers in ({"Origin": "http://evil.example", **OURS}, {"Content-Type": "text/plain"}):
        status, _, _ = admin.raw("POST", "/api/changes/create-topic", {"topic": "forged"}, headers)
        assert status == 403


def test_a_read_only_console_shows_a_change_and_does_not_run_it(node):
    process, place = started(node, "--logins", "--read-only")
    admin = Console(place, ADMIN, ADMIN_PASSWORD)
    assert "--create --topic never" in admin.plan("create-topic", topic="never")["command"]
    status, sentence = admin.refusal("POST", "/changes/create-topic", {"topic": "never"})
    assert (status, "in a shell" in sentence) == (403, True)
    assert [row for row in admin.get("/topics")["rows"] if row[0] == "never"] == []
    process.terminate()
    process.communicate()


def test_a_login_that_may_not_see_directories_gets_the_name_of_the_missing_right(place):
    admin, alice = Console(place, ADMIN, ADMIN_PASSWORD), Console(place, ALICE, ALICE_PASSWORD)
    assert admin.get("/cluster")["log_dirs_error"] is None
    found = alice.get("/cluster")
    assert "can grant DESCRIBE on the cluster" in found["log_dirs_error"]
    assert found["brokers"][0]["log_dirs"] == []
    admin.make("counted")
    admin.run("add-acl", **{**RULE, "name": "counted"}, operation="describe")
    admin.send("counted", "one", "two")
    assert ["counted", None, 2] in alice.get("/sizes?fresh=true")["rows"]
