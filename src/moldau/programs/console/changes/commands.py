"""Command lines as they would be typed into a shell, everything in them quoted that has to be.

A secret stands in none of them, as lists of changes and logs have them too: the line reads it from
the terminal.
"""

from __future__ import annotations

import json
import re
import shlex
from typing import Final

from moldau.programs.console.reach import ConsoleSettings

__all__ = ["admin_line", "command_line", "secret", "topic_pattern", "with_file", "with_text_file"]

SECRET: Final = re.compile(r"\0(\w+)\0")
"""No word of a command has these bytes, which no argument of a program can have."""


def command_line(settings: ConsoleSettings, command: str, *words: object) -> str:
    """`moldau COMMAND --bootstrap-server … WORDS`."""
    parts = ["moldau", command, "--bootstrap-server", settings.servers]
    if settings.config_file is not None:
        parts += ["--command-config", settings.config_file]
    line = shlex.join([*parts, *map(str, words)])
    names = dict.fromkeys(SECRET.findall(line))
    asked = "".join(f"read -rs {name} && " for name in names)
    return asked + SECRET.sub(r"""'"$\1"'""", line)


def secret(name: str) -> str:
    """What stands for it in a word; `name` is the variable of the shell that it is read into."""
    return f"\0{re.sub('[^A-Z0-9]', '_', name.upper())}\0"


def topic_pattern(name: str) -> str:
    """For `topics --alter` and `--delete`, which take a regular expression: this topic alone."""
    return name.replace(".", r"\.")


def with_file(name: str, content: object, line: str) -> str:
    """A command that reads JSON from a file, and the line that writes the file."""
    text = json.dumps(content, separators=(",", ":"))
    return with_text_file(name, text, line)


def with_text_file(name: str, text: str, line: str) -> str:
    """The same with a text of lines."""
    return f"echo {shlex.quote(text)} > {name}\n{line}"


def admin_line(settings: ConsoleSettings, call: str, more: str = "") -> str:
    """For what no tool of Kafka does: a call of the admin client, in Python; `more` is imported."""
    imported = "\n".join(filter(None, ["from moldau.client import Admin", more]))
    client = repr(settings.servers)
    if settings.config_file is not None:
        imported += "\nfrom moldau.config.java_properties import parse_properties"
        given = f"parse_properties(open({settings.config_file!r}, 'rb').read())"
        client = f"{{**{given}, 'bootstrap.servers': {client}}}"
    program = f"{imported}\nwith Admin({client}) as admin:\n    admin.{call}.all()"
    return shlex.join(["python3", "-c", program])
