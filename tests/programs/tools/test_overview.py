"""The help has every command once, by its task, with Kafka's spelling."""

from __future__ import annotations

from moldau.programs.tools.command import Command
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.main import COMMANDS
from moldau.programs.tools.overview import overview, script_of


def test_every_command_is_there_once_and_under_a_task():
    lines = overview((*COMMANDS, *KAFKA_TOOLS)).splitlines()
    names = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(names) == sorted(one.name for one in (*COMMANDS, *KAFKA_TOOLS))
    assert "Groups:" in lines


def test_a_tool_of_kafkas_shows_the_name_of_its_script():
    text = overview((*COMMANDS, *KAFKA_TOOLS))
    assert "topics [kafka-topics.sh]" in text
    assert "[kafka-storage.sh]" in text


def test_what_no_task_names_is_shown_all_the_same():
    command = Command("fly", "take off", "nowhere")
    assert overview((command,)).splitlines()[-4:-2] == ["More:", "  fly  take off"]
    assert script_of(command) == ""
