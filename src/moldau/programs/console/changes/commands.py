"""Command lines as they would be typed into a shell, everything in them quoted that has to be."""

from __future__ import annotations

import json
import shlex

from moldau.programs.console.reach import ConsoleSettings

__all__ = ["command_line", "with_file"]


def command_line(settings: ConsoleSettings, command: str, *words: object) -> str:
    """`moldau COMMAND --bootstrap-server … WORDS`."""
    parts = ["moldau", command, "--bootstrap-server", settings.servers]
    if settings.config_file is not None:
        parts += ["--command-config", settings.config_file]
    return shlex.join([*parts, *map(str, words)])


def with_file(name: str, content: object, line: str) -> str:
    """A command that reads JSON from a file, and the line that writes the file."""
    text = json.dumps(content, separators=(",", ":"))
    return f"echo {shlex.quote(text)} > {name}\n{line}"
