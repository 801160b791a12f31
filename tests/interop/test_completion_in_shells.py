"""What `moldau completion` prints, driven in the shells themselves.

A program of two lines stands for `moldau` on the path, so that each shell finds one by name. What
is typed is what a person types; fish is asked for what it would offer, bash and zsh are on a
pseudo-terminal, where Tab is pressed.
"""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time

import pytest

from moldau.client.admin import Admin, NewTopic
from moldau.programs.tools.completion import SCRIPTS
from tests.interop.running_node import running_node

SECONDS_MAX = 60
TYPED = [
    ("moldau topics --desc", "--describe"),
    ("moldau metadata-q", "metadata-quorum"),
    ("moldau completion fi", "fish"),
]
LIVE = [
    ("moldau topics --bootstrap-server {node} --topic or", "orders"),
    ("moldau lag -b {node} --group re", "readers"),
    ("moldau topics --bootstrap-server={node} --topic=or", "--topic=orders"),
    ("moldau lag -b {node} --group a:b:", "a:b:c"),
]
"""Names that only the cluster knows."""


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    with running_node(tmp_path_factory.mktemp("shells")) as bootstrap:
        with Admin(bootstrap) as admin:
            admin.create_topics([NewTopic("orders", partitions=1, replication_factor=1)]).all()
            for group in ("readers", "a:b:c"):
                admin.alter_consumer_group_offsets(group, {("orders", 0): 0}).all()
        yield bootstrap


@pytest.fixture
def environment(tmp_path):
    program = tmp_path / "bin" / "moldau"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m moldau "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(tmp_path), "TERM": "xterm"}


def shell_named(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"this machine has no {name}")
    return found


def printed(shell: str, words: list[str], environment: dict[str, str]) -> str:
    command = [shell_named(shell), *words]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=SECONDS_MAX
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(("typed", "offered"), TYPED)
def test_bash_completes_it(environment, tmp_path, typed, offered):
    (tmp_path / "rc").write_text(f"PS1='ready> '\n{SCRIPTS['bash']}")
    words = ["--noprofile", "--rcfile", str(tmp_path / "rc"), "-i"]
    type_in([shell_named("bash"), *words], environment, typed, offered)


@pytest.mark.parametrize(("typed", "offered"), LIVE)
def test_bash_completes_what_the_cluster_has(environment, tmp_path, node, typed, offered):
    test_bash_completes_it(environment, tmp_path, typed.format(node=node), offered)


@pytest.mark.parametrize(("typed", "offered"), TYPED)
def test_fish_offers_it(environment, typed, offered):
    code = f"{SCRIPTS['fish']}\ncomplete -C '{typed}'"
    assert printed("fish", ["--no-config", "-c", code], environment).split() == [offered]


@pytest.mark.parametrize(("typed", "offered"), LIVE)
def test_fish_offers_what_the_cluster_has(environment, node, typed, offered):
    test_fish_offers_it(environment, typed.format(node=node), offered)


@pytest.mark.parametrize(("typed", "offered"), LIVE)
def test_zsh_completes_what_the_cluster_has(environment, tmp_path, node, typed, offered):
    test_zsh_completes_it(environment, tmp_path, typed.format(node=node), offered)


@pytest.mark.parametrize(("typed", "offered"), TYPED)
def test_zsh_completes_it(environment, tmp_path, typed, offered):
    (tmp_path / ".zshrc").write_text(
        f"PS1='ready> '\nautoload -Uz compinit && compinit -u\n{SCRIPTS['zsh']}"
    )
    type_in([shell_named("zsh"), "-i", "--no-globalrcs"], environment, typed, offered)


def type_in(shell: list[str], environment: dict[str, str], typed: str, offered: str) -> None:
    """And press Tab: the word that was begun must become what is offered."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(shell[0], shell, environment)
    try:
        _read_until(terminal, "ready> ")
        os.write(terminal, typed.encode() + b"\t")
        _read_until(terminal, offered)
        os.write(terminal, b"\x03exit\n")
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


def _read_until(terminal: int, text: str) -> None:
    found, end = "", time.monotonic() + SECONDS_MAX
    while text not in found:
        assert time.monotonic() < end, found
        if select.select([terminal], [], [], 1)[0]:
            found += os.read(terminal, 65536).decode(errors="replace")
