"""Schemas as changes: what is registered, refused, deleted and brought back."""

import shlex
import subprocess
import sys
import uuid

import pytest

from tests.programs.console.cluster.test_subjects import BROKEN, FIRST, SECOND


@pytest.fixture
def subject(console):
    """Of one version."""
    name = f"orders-{uuid.uuid4().hex[:12]}-value"
    console.run("register-schema", subject=name, schema=FIRST)
    return name


def test_registering_adds_a_version_and_its_undo_takes_it_back(console, subject):
    done = console.run("register-schema", subject=subject, schema=SECOND)
    assert done["differences"] == [[f"versions of {subject}", "1", "1, 2"]]
    assert done["result"]["id"] > 0
    kind, body = done["undo"]
    assert console.run(kind, **body)["undo"][1]["schema"] == SECOND
    found = console.get(f"/subjects/{subject}")
    assert (found["versions"], found["deleted"]) == ([1], [2])


def test_the_command_that_is_shown_does_the_same(console, subject, tmp_path):
    command = console.plan("register-schema", subject=subject, schema=SECOND)["command"]
    command = command.replace("moldau", f"{shlex.quote(sys.executable)} -m moldau")
    subprocess.run(command, shell=True, check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
    assert console.get(f"/subjects/{subject}")["versions"] == [1, 2]


def test_what_may_not_follow_is_refused_before_it_is_shown(console, subject):
    body = {"subject": subject, "schema": BROKEN}
    status, sentence = console.refusal("POST", "/changes/register-schema/plan", body)
    assert (status, "by BACKWARD" in sentence) == (409, True)
    body = {"subject": subject, "schema": FIRST}
    _, sentence = console.refusal("POST", "/changes/register-schema/plan", body)
    assert "as version 1" in sentence


def test_a_subject_is_deleted_and_then_for_good(console, subject):
    done = console.run("delete-schema", subject=subject)
    assert done["differences"] == [[f"versions of {subject}", "1", None]]
    assert console.get(f"/subjects/{subject}")["deleted"] == [1]
    assert "--permanent" in console.run("delete-schema", subject=subject, permanent=True)["command"]
    assert console.refusal("GET", f"/subjects/{subject}")[0] == 404


def test_a_level_is_set_and_given_up_again(console, subject):
    done = console.run("set-compatibility", subject=subject, level="FULL")
    assert done["differences"][0][1:] == ["BACKWARD, as all", "FULL"]
    assert console.get(f"/subjects/{subject}")["level"] == "FULL"
    kind, body = done["undo"]
    console.run(kind, **body)
    assert console.get(f"/subjects/{subject}")["is_own_level"] is False
    body = {"subject": subject, "level": "SOMEHOW"}
    assert console.refusal("POST", "/changes/set-compatibility/plan", body)[0] == 400
