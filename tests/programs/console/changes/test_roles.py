"""Roles are granted and taken back, each as a command line and a difference first."""

from __future__ import annotations

import shlex
from io import StringIO

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.console.changes.roles import binding_of
from moldau.programs.http.messages import HttpError
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from tests.programs.console.running_console import RunningConsole

READER = {
    "principal": "User:ann",
    "role": "DeveloperRead",
    "kind": "topic",
    "name": "a b",
    "pattern": "prefixed",
}
SENTENCE = "User:ann is DeveloperRead on topic a b…"
AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A console of its own: the one of this folder has no access rules."""
    folder = tmp_path_factory.mktemp("roles")
    sets = (f"authorizer.class.name={AUTHORIZER}", "super.users=User:ANONYMOUS")
    flags = [word for one in sets for word in ("--set", one)]
    running = RunningConsole(
        folder, "start", "--port", "0", "--ui", "0", "--data", f"{folder}/data", *flags
    )
    yield running
    running.stop()


def test_a_role_is_granted_listed_and_taken_back_by_its_undo(guarded):
    plan = guarded.plan("grant-role", **READER)
    assert plan["differences"] == [["role", None, SENTENCE]]
    assert guarded.get("/role-bindings") == []
    undo, given = guarded.run("grant-role", **READER)["undo"]
    assert guarded.get("/role-bindings") == [READER]
    assert guarded.run(undo, **given)["differences"] == [["role", SENTENCE, None]]
    assert guarded.get("/role-bindings") == []
    assert [line["command"].split()[1] for line in guarded.get("/audit")][:2] == ["roles"] * 2


def test_what_is_granted_already_has_no_undo_and_what_is_not_cannot_be_taken_back(guarded):
    operator = {"principal": "User:bob", "role": "Operator"}
    status, sentence = guarded.refusal("POST", "/changes/revoke-role/plan", operator)
    assert (status, "User:bob is Operator on the cluster" in sentence) == (404, True)
    guarded.run("grant-role", **operator)
    again = guarded.plan("grant-role", **operator)
    assert again["undo"] is None
    assert again["differences"][0][1] == again["differences"][0][2]
    guarded.run("revoke-role", **operator)


def test_the_commands_that_are_shown_do_the_same(guarded):
    for kind, bindings in (("grant-role", [READER]), ("revoke-role", [])):
        words = shlex.split(guarded.plan(kind, **READER)["command"])
        world = World(
            files=SystemFiles(),
            clock=SystemClock(),
            random=SystemRandom(),
            out=StringIO(),
            errors=StringIO(),
        )
        assert run_command(words[1:], world) == 0, words
        assert guarded.get("/role-bindings") == bindings


def test_roles_that_change_rights_have_a_warning(guarded):
    admin = {"principal": "User:bob", "role": "SystemAdmin"}
    assert "its own rights too" in guarded.plan("grant-role", **admin)["warning"]
    assert guarded.plan("grant-role", **READER)["warning"] is None


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ({"role": "King"}, "there is no role 'King'"),
        ({"role": "Operator"}, "granted on the cluster"),
        ({"kind": "cluster"}, "nothing to do with"),
        ({"kind": "user"}, "kind is one of"),
        ({"pattern": "match"}, "pattern is one of"),
        ({"name": None}, "name"),
    ],
)
def test_a_binding_that_cannot_be_is_a_sentence(changed, cause):
    with pytest.raises(HttpError, match=cause):
        binding_of({**READER, **changed})
