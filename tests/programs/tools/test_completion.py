"""A shell is offered what may follow."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from moldau.client import admin as clients
from moldau.client.admin import Admin, NewTopic
from moldau.errors import MoldauError
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.system.process import environment
from moldau.programs.tools.completion import SCRIPTS, offers
from moldau.programs.tools.profiles import write_profile
from moldau.testing import Node


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("to", ["top", "topics"]),
        ("help to", ["top", "topics"]),
        ("topics --desc", ["--describe"]),
        ("cluster cl", ["cluster-id"]),
        ("features upgrade --fe", ["--feature"]),
        ("completion fi", ["fish"]),
        ("lag --max", ["--max-lag", "--max-seconds"]),
        ("lag --output j", ["json"]),
        ("roles gr", ["grant"]),
        ("nothing --x", []),
        ("--pro", ["--profile"]),
        ("--profile st", ["staging"]),
        ("--profile staging top", ["top", "topics"]),
        ("--profile staging topics --desc", ["--describe"]),
        ("profile show st", ["staging"]),
        ("topics --output j", ["json"]),
        ("topics --output=j", ["--output=json"]),
        ("configs --entity-type to", ["topics"]),
        ("acls --operation Describe", ["Describe", "DescribeConfigs", "DescribeTokens"]),
        ("topics --command-config ", []),
        ("lag --command-config ", []),
        ("--profile staging topics --topic or", []),
        ("--profile absent topics --topic or", []),
        ("topics --topic or", []),
        ("topics --bootstrap-server localhost:1 --topic or", []),
    ],
)
def test_the_last_word_goes_on_by_what_may_follow(typed, offered, files):
    assert offers(typed.split(" "), files) == offered


@pytest.fixture
def files(monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", "/me")
    monkeypatch.delenv("MOLDAU_PROFILE", raising=False)
    made = SimulatedFiles()
    write_profile(made, "staging", {"bootstrap.servers": "localhost:1"}, environment())
    return made


def test_a_profile_leads_to_names_that_are_there(files, monkeypatch):
    with Node() as node, Admin(node.bootstrap) as admin:
        admin.create_topics([NewTopic("orders", 1, 1)]).all()
        admin.alter_consumer_group_offsets("billing", {("orders", 0): 0}).all()
        write_profile(files, "here", {"bootstrap.servers": node.bootstrap}, environment())
        assert offers(["--profile", "here", "topics", "--topic", "or"], files) == ["orders"]
        assert offers(["lag", "-b", node.bootstrap, "--group", "b"], files) == ["billing"]
        assert offers(["clone-group", "-b", node.bootstrap, "b"], files) == ["billing"]
        monkeypatch.setenv("MOLDAU_PROFILE", "here")
        assert offers(["topics", "--topic", "or"], files) == ["orders"]


def test_a_cluster_that_wants_a_login_gets_that_of_the_file_on_the_line(files, monkeypatch):
    seen = []

    def refuse(settings: object) -> None:
        seen.append(settings)
        raise MoldauError("no")

    monkeypatch.setattr(clients, "Admin", refuse)
    file = files.open("/a.properties", create=True)
    file.append(b"sasl.mechanism=PLAIN\n")
    words = "topics --bootstrap-server a:1 --command-config /a.properties --topic x"
    assert offers(words.split(), files) == []
    assert seen == [{"sasl.mechanism": "PLAIN", "bootstrap.servers": "a:1"}]


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_is_one_of_its_shell(shell):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"this machine has no {shell}")
    subprocess.run([program, "-n"], input=SCRIPTS[shell], text=True, check=True)


ASKED = {
    "bash": """
complete_line() {{
    COMP_LINE=$1; COMP_POINT=${{#COMP_LINE}}; read -ra COMP_WORDS <<< "$1"
    [[ $1 == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _moldau; printf '%s\\n' "${{COMPREPLY[@]}}"
}}
source {script}; complete_line '{line}'
""",
    "zsh": """
compdef() {{ : }}; compadd() {{ print -l -- "${{@[2,-1]}}" }}; _files() {{ print files }}
source {script}; words=("${{(@s: :)${{:-{line}}}}}"); CURRENT=${{#words}}; _moldau
""",
    "fish": "source {script}; complete -C '{line}'",
}
"""What makes each shell complete a line without a terminal."""


@pytest.fixture(params=ASKED)
def completed(request, tmp_path):
    """A shell, and what it offers for a line."""
    program = shutil.which(request.param)
    if program is None:
        pytest.skip(f"this machine has no {request.param}")
    moldau = tmp_path / "moldau"
    moldau.write_text(f'#!/bin/sh\nexec {sys.executable} -m moldau "$@"\n')
    moldau.chmod(0o755)
    script = tmp_path / "script"
    script.write_text(SCRIPTS[request.param])
    (tmp_path / "wanted.yaml").touch()

    def complete(line: str) -> list[str]:
        asked = ASKED[request.param].format(script=script, line=line)
        done = subprocess.run(
            [program, "-c", asked],
            env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    return request.param, complete


def test_a_shell_offers_what_its_script_finds(completed):
    _, complete = completed
    assert complete("moldau topics --desc") == ["--describe"]
    assert sorted(complete("moldau lag --output ")) == ["csv", "json", "table", "wide", "yaml"]


def test_a_shell_offers_files_where_nothing_else_is_known(completed):
    shell, complete = completed
    files = {"bash": [], "zsh": ["files"], "fish": ["wanted.yaml"]}  # bash does it by itself
    assert complete("moldau plan wan") == files[shell]
