"""What is typed into the shell: words, as Kafka's parser takes them, with its messages."""

from __future__ import annotations

from collections.abc import Sequence

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass

__all__ = [
    "COMMANDS",
    "ShellCommand",
    "ShellWordError",
    "help_of",
    "overview",
    "parse_words",
    "usage_of",
]

HELP = ("-h", "--help")
NAME_WIDTH = 22


class ShellWordError(MoldauError):
    """A line that means nothing."""


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """One word of the shell."""

    name: str
    help: str
    takes: str = ""
    """Its argument; with `...` there may be several, in brackets it may be missing."""
    takes_help: str = ""
    typed_only: bool = False
    """Only where lines are typed; a single call does not know it."""

    @property
    def argument(self) -> str:
        return self.takes.strip("[].").split(" ")[0]


COMMANDS = {
    one.name: one
    for one in (
        ShellCommand(
            "cat",
            "Show the contents of metadata files.",
            "targets [targets ...]",
            "The metadata files to display.",
        ),
        ShellCommand(
            "cd",
            "Set the current working directory.",
            "[target]",
            "The directory to change to.",
            typed_only=True,
        ),
        ShellCommand("exit", "Exit the metadata shell.", typed_only=True),
        ShellCommand(
            "find",
            "Search for nodes in the directory hierarchy.",
            "[paths [paths ...]]",
            "The paths to start at.",
        ),
        ShellCommand("help", "Display this help message.", typed_only=True),
        ShellCommand(
            "history",
            "Print command history.",
            "[numEntriesToShow]",
            "The number of entries to show.",
            typed_only=True,
        ),
        ShellCommand(
            "ls",
            "List metadata nodes.",
            "[targets [targets ...]]",
            "The metadata node paths to list.",
        ),
        ShellCommand(
            "man",
            "Show the help text for a specific command.",
            "cmd",
            "The command to get help text for.",
            typed_only=True,
        ),
        ShellCommand("pwd", "Print the current working directory.", typed_only=True),
        ShellCommand(
            "tree",
            "Show the contents of metadata nodes in a tree structure.",
            "targets [targets ...]",
            "The metadata nodes to display.",
        ),
    )
}


def parse_words(words: Sequence[str], *, typed: bool) -> tuple[ShellCommand, list[str]] | None:
    """The command and its arguments; None for none, or `ShellWordError`."""
    given = list(words)
    while given and not given[-1]:
        given.pop()
    if not given:
        return None
    command = _command(given[0], typed=typed)
    arguments = _arguments(command, given[1:])
    return command, arguments


def _command(word: str, *, typed: bool) -> ShellCommand:
    known = [name for name, one in COMMANDS.items() if typed or not one.typed_only]
    if word in known:
        return COMMANDS[word]
    if word.startswith("-"):
        raise ShellWordError(f"unrecognized arguments: '{word}'")
    meant = [name for name in known if name.startswith(word)]
    if len(meant) > 1:
        raise ShellWordError(f"ambiguous command: {word} could match {', '.join(meant)}")
    if meant:
        raise ShellWordError(f"invalid choice: '{word}': did you mean '{meant[0]}'?")
    choices = ", ".join(f"'{name}'" for name in known)
    raise ShellWordError(f"invalid choice: '{word}' (choose from {choices})")


def _arguments(command: ShellCommand, words: list[str]) -> list[str]:
    flags, rest = words, list[str]()
    if "--" in words:
        place = words.index("--")
        flags, rest = words[:place], words[place + 1 :]
    for word in flags:
        if word in HELP:
            return [HELP[0]]
        if word.startswith("-") and len(word) > 1 and not _is_number(word):
            raise ShellWordError(f"unrecognized arguments: '{word}'")
    return _counted(command, [*flags, *rest])


def _counted(command: ShellCommand, words: list[str]) -> list[str]:
    most = len(words) if "..." in command.takes else bool(command.takes)
    if len(words) > most:
        raise ShellWordError(f"unrecognized arguments: '{words[most]}'")
    if command.takes and not command.takes.startswith("[") and not words:
        raise ShellWordError("too few arguments")
    if command.name == "history" and words and not _is_number(words[0]):
        raise ShellWordError(
            f"argument {command.argument}: could not convert '{words[0]}' to Integer "
            f'(For input string: "{words[0]}")'
        )
    return words


def _is_number(word: str) -> bool:
    return word.removeprefix("-").isdecimal()


def overview() -> list[str]:
    """What `help` prints."""
    names = ",".join(COMMANDS)
    lines = [f"    {one.name:<{NAME_WIDTH - 2}} {one.help}" for one in COMMANDS.values()]
    head = ["Welcome to the Apache Kafka metadata shell.", "", f"usage:  {{{names}}} ...", ""]
    return [*head, "positional arguments:", f"  {{{names}}}", *lines]


def help_of(command: ShellCommand) -> list[str]:
    """What `man` prints."""
    usage = f"usage: {command.name} {command.takes}".rstrip()
    return [f"{command.name}: {command.help}", "", usage, *_argument_of(command)]


def usage_of(command: ShellCommand) -> list[str]:
    """What `-h` prints."""
    usage = f"usage:  {command.name} [-h] {command.takes}".rstrip()
    flag = f"  {', '.join(HELP):<{NAME_WIDTH}} show this help message and exit"
    return [usage, *_argument_of(command), "", "optional arguments:", flag]


def _argument_of(command: ShellCommand) -> list[str]:
    if not command.takes:
        return []
    argument = f"  {command.argument:<{NAME_WIDTH}} {command.takes_help}"
    return ["", "positional arguments:", argument]
