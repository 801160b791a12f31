"""Scripts with the names of Kafka's tools run ours, and take the place of no other file."""

from __future__ import annotations

import subprocess
from io import StringIO

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.files import SystemFiles
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.table import KAFKA_TOOLS, SCRIPTS_OF_COMMANDS
from moldau.programs.tools.main import run_command


def link(folder):
    out = StringIO()
    world = World(
        files=SystemFiles(), clock=SimulatedClock(), random=SeededRandom(1), out=out, errors=out
    )
    return run_command(["link-tools", str(folder)], world), out.getvalue()


def test_each_tool_has_its_script_with_and_without_its_ending(tmp_path):
    folder = tmp_path / "of all"
    count = 2 * (len(KAFKA_TOOLS) + len(SCRIPTS_OF_COMMANDS))
    assert link(folder) == (0, f"{count} scripts are in {folder}\n")
    names = {path.name for path in folder.iterdir()}
    assert {tool.script for tool in KAFKA_TOOLS} <= names
    assert {"kafka-storage.sh", "kafka-dump-log", "kafka-metadata-shell.sh"} <= names
    for name in ("kafka-topics.sh", "kafka-topics"):
        printed = subprocess.check_output([folder / name, "--version"], text=True)
        assert printed == "4.3.1\n"


def test_doing_it_again_changes_nothing(tmp_path):
    assert link(tmp_path)[0] == 0
    before = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert link(tmp_path)[0] == 0
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == before


def test_a_foreign_file_is_named_and_nothing_is_written(tmp_path):
    (tmp_path / "kafka-topics.sh").write_text("#!/bin/sh\necho mine\n")
    code, printed = link(tmp_path)
    assert code == 1
    assert f"{tmp_path}/kafka-topics.sh was not written by this command" in printed
    assert [path.name for path in tmp_path.iterdir()] == ["kafka-topics.sh"]
