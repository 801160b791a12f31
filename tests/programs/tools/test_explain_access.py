"""`moldau explain-access` asks a node for its rules, and explains what it decides by them."""

from __future__ import annotations

from io import StringIO

import pytest

import moldau.testing
from moldau.client.core.admin.acls import AclRule
from moldau.client.core.admin.choices import (
    AccessOperation,
    PatternType,
    Permission,
    ResourceKind,
)
from moldau.client.sync.admin.client import Admin
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command

RULES = [
    AclRule("User:alice", AccessOperation.ALL, ResourceKind.TOPIC, "ord", PatternType.PREFIXED),
    AclRule(
        "User:*",
        AccessOperation.WRITE,
        ResourceKind.TOPIC,
        "orders",
        permission=Permission.DENY,
    ),
]


@pytest.fixture(scope="module")
def node():
    authorizer = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
    settings = {"authorizer.class.name": authorizer, "super.users": "User:ANONYMOUS"}
    with moldau.testing.Node(settings=settings) as node:
        with Admin(node.bootstrap) as admin:
            admin.create_acls(RULES).all()
        yield node


def explained(node, *more):
    out, errors = StringIO(), StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=errors
    )
    base = ["explain-access", "--bootstrap-server", node.bootstrap, "--principal", "User:alice"]
    code = run_command([*base, *more], world)
    return code, out.getvalue().splitlines() or errors.getvalue().splitlines()


def test_the_rule_that_allows_is_printed(node):
    code, lines = explained(node, "--operation", "read", "--topic", "orders")
    assert code == 0
    assert lines == [
        "ALLOWED  User:alice from 127.0.0.1: READ TOPIC orders",
        "because  a rule allows it, and none denies it",
        "by       ALLOW User:alice ALL on prefixed TOPIC ord from *",
        "change   delete this rule, or deny it",
    ]


def test_the_rule_that_denies_is_printed_and_the_exit_code_is_1(node):
    code, lines = explained(node, "--operation", "write", "--topic", "orders")
    assert code == 1
    assert "by       DENY User:* WRITE on literal TOPIC orders from *" in lines


def test_what_no_rule_concerns_is_decided_by_what_the_nodes_are_set_to(node):
    asked = ("--operation", "describe", "--group", "billing")
    code, lines = explained(node, *asked)
    granting = "change   add a rule: ALLOW User:alice DESCRIBE on literal GROUP billing from *"
    assert (code, lines[-1]) == (1, granting)
    assert explained(node, *asked, "--allow-everyone-if-no-acl-found")[0] == 0
    assert explained(node, *asked, "--super-users", "User:bob; User:alice")[0] == 0
    assert explained(node, "--operation", "alter", "--cluster")[0] == 1


def test_a_file_of_settings_is_read_for_the_client(node, tmp_path):
    file = tmp_path / "client.properties"
    file.write_text("security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n")
    asked = ("--operation", "read", "--topic", "a", "--command-config", str(file))
    code, lines = explained(node, *asked)
    assert code == 1
    assert "needs a login" in lines[0]
