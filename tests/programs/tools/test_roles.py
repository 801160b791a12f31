"""`moldau roles` grants, lists, takes back, and says what each role allows."""

from __future__ import annotations

import json
from io import StringIO

import pytest

import moldau.testing
from moldau.client.core.admin.acls import AclRule
from moldau.client.core.admin.choices import AccessOperation, ResourceKind
from moldau.client.sync.admin.client import Admin
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command

READER = ("--principal", "User:alice", "--role", "DeveloperRead", "--topic", "orders")


@pytest.fixture(scope="module")
def node():
    authorizer = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
    settings = {"authorizer.class.name": authorizer, "super.users": "User:ANONYMOUS"}
    with moldau.testing.Node(settings=settings) as node:
        yield node


def command(name, *more):
    out, errors = StringIO(), StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=errors
    )
    code = run_command([name, *more], world)
    return code, out.getvalue().splitlines() or errors.getvalue().splitlines()


def roles(node, action, *more):
    return command("roles", action, "--bootstrap-server", node.bootstrap, *more)


def test_a_role_is_granted_listed_explained_and_taken_back(node):
    line = "User:alice is DeveloperRead on literal TOPIC orders"
    asked = ("--operation", "read", "--topic", "orders", "--principal", "User:alice")
    assert roles(node, "grant", *READER) == (0, [f"granted  {line}"])
    assert roles(node, "list", *READER[:2]) == (0, [line])
    assert roles(node, "list", "--principal", "User:bob") == (0, [])
    assert roles(node, "list", *READER[:2], "--output", "csv") == (
        0,
        ["principal,role,resource,name,pattern", "User:alice,DeveloperRead,topic,orders,literal"],
    )
    server = ("--bootstrap-server", node.bootstrap)
    row = json.loads("".join(command("explain-access", *server, *asked, "--output", "json")[1]))[0]
    assert (row["verdict"], len(row["rules"])) == ("ALLOWED", 1)
    code, lines = command("explain-access", *server, *asked)
    assert (code, lines[0].split()[0]) == (0, "ALLOWED")
    assert lines[2].endswith("by the role DeveloperRead")
    assert roles(node, "revoke", *READER) == (0, [f"revoked  {line}"])
    assert roles(node, "revoke", *READER) == (1, [f"not granted {line}"])
    assert roles(node, "list", *READER[:2]) == (0, [])


def test_roles_are_distinguished_from_access_rules(node):
    with Admin(node.bootstrap) as admin:
        rule = AclRule("User:eve", AccessOperation.READ, ResourceKind.TOPIC, "orders")
        admin.create_acls([rule]).all()
        assert roles(node, "grant", "--principal", "User:eve", "--role", "Operator")[0] == 0
    listed = roles(node, "list", "--principal", "User:eve")
    assert listed == (0, ["User:eve is Operator on the cluster"])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("grant", "--role", "Operator"), "needs --principal and --role"),
        (("grant", *READER[:2], "--role", "Operator", "--topic", "t"), "granted on the cluster"),
        (("grant", *READER[:2], "--role", "DeveloperManage"), "name it with --topic, --group"),
        (("grant", *READER[:2], "--role", "ResourceOwner", "--cluster"), "nothing to do with"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(node, arguments, text):
    code, lines = roles(node, *arguments)
    assert code != 0
    assert text in " ".join(lines)


def test_each_role_is_explained_without_a_cluster():
    code, lines = command("roles", "explain")
    assert code == 0
    assert sum("allows" in line for line in lines) == 10
    table = command("roles", "explain", "--role", "DeveloperRead", "--output", "table")[1]
    assert table[1].split() == ["DeveloperRead", "topic", "DESCRIBE,READ"]
    assert command("roles", "explain", "--role", "DeveloperRead")[1][1].split() == [
        "TOPIC", "DESCRIBE,", "READ"
    ]  # fmt: skip
