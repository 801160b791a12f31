"""The table of tools names each once, and each has its file."""

from importlib.util import find_spec

from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.main import COMMANDS


def test_no_name_is_there_twice():
    names = [one.name for one in (*COMMANDS, *KAFKA_TOOLS)]
    assert len(names) == len(set(names))


def test_every_tool_has_its_file():
    assert all(find_spec(tool.module) for tool in KAFKA_TOOLS)
