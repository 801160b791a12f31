"""What a tool of Kafka's is here, and how one is run.

A tool's module holds

    FLAGS: tuple[Flag, ...]                          its flags, beside --help and --version
    def run(given: Given, world: World) -> int       does it; the exit code

    SUBCOMMANDS: Actions                             only where the first word is the action

and raises `WrongUsageError` with Kafka's own message if its flags do not fit together. Kafka's
tools print all their flags after that message; here comes the nearest flag, and where to find the
others. The exit code is 1, as theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from moldau.client.errors import AccessDeniedError, RefusedError
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.command import FORMATS, World
from moldau.programs.tools.kafka.flags import (
    HELP,
    OUTPUT,
    VERSION,
    Flag,
    Given,
    Takes,
    WrongUsageError,
    parse,
)
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.programs.tools.kafka.subcommands import Actions, parse_action

__all__ = [
    "KAFKA_VERSION",
    "OF_ARGPARSE4J",
    "KafkaTool",
    "KafkaToolModule",
    "ToolFailedError",
    "actions_of",
    "all_flags",
    "explanation",
    "help_for",
    "help_of",
    "run_tool",
    "shown",
    "wrapped",
]

KAFKA_VERSION = "4.3.1"
FAILED = 1
OF_ARGPARSE4J = {
    "producer-perf-test": "kafka-producer-perf-test",
    "verifiable-consumer": "verifiable-consumer",
    "verifiable-producer": "verifiable-producer",
    "verifiable-share-consumer": "verifiable-share-consumer",
}
"""Tools that show their flags, and have not failed, where no flag is given; what they call
themselves where flags are wrong."""
HELP_WIDTH = 78
HELP_WIDTH_MIN = 20
"""Words of flags are as long as this."""
NAMES_WIDTH_MAX = 34
TEXT_WIDTH_MIN = 24
"""Where less is left beside the names of flags, what they do stands under them."""
UNDER_THE_NAME = 2
GOES_ON = " \\"
HOST = "moldau.platform.system.host"


@dataclass(frozen=True, slots=True)
class KafkaTool:
    """One line of the table."""

    name: str
    """Kafka's name for it, without `kafka-` and `.sh`."""
    summary: str
    """One line for `moldau --help`, in the imperative, without a full stop."""
    module: str
    """Where `FLAGS` and `run` are."""
    example: str
    """Words of a call that answers on any cluster; a test runs it."""

    @property
    def script(self) -> str:
        """What Kafka's users call it."""
        return f"kafka-{self.name}.sh"


class ToolFailedError(MoldauError):
    """A tool cannot go on; its message, which is Kafka's own, stands alone on its line."""


class KafkaToolModule(Protocol):
    """What the table finds in a module, and perhaps `SUBCOMMANDS`."""

    @property
    def FLAGS(self) -> tuple[Flag, ...]: ...

    def run(self, given: Given, world: World) -> int: ...


def run_tool(tool: KafkaTool, module: KafkaToolModule, words: Sequence[str], world: World) -> int:
    """Run it with these words; the exit code."""
    try:
        given = _given(module, words)
        if given.has(HELP.name):
            world.out.write(help_of(tool, module, help_for(world)))
            return 0
        if not words:
            return _without_words(tool, module, world)
        if given.has(VERSION.name):
            world.out.write(f"{KAFKA_VERSION}\n")
            return 0
        _check_output(given)
        return module.run(given, world)
    except WrongUsageError as error:
        hints = [error.hint, f"`moldau {tool.name} --help` shows all flags."]
        world.errors.write(f"{_message_of(tool, error)}\n{' '.join(filter(None, hints))}\n")
    except ToolFailedError as error:
        world.errors.write(f"{error}\n")
    except (AccessDeniedError, RefusedError) as error:
        world.errors.write(f"{java_cause_of(error)}\n")
    return FAILED


def _message_of(tool: KafkaTool, error: WrongUsageError) -> str:
    who = OF_ARGPARSE4J.get(tool.name)
    return f"{who}: error: {error.of_argparse4j}" if who and error.of_argparse4j else str(error)


def _without_words(tool: KafkaTool, module: KafkaToolModule, world: World) -> int:
    """Most of Kafka's take it for wrong usage, some for a question."""
    is_question = tool.name in OF_ARGPARSE4J
    (world.out if is_question else world.errors).write(help_of(tool, module, help_for(world)))
    return 0 if is_question else FAILED


def _given(module: KafkaToolModule, words: Sequence[str]) -> Given:
    actions = actions_of(module)
    if actions is None:
        return parse(all_flags(module), words)
    return parse_action(all_flags(module), actions, words)


def _check_output(given: Given) -> None:
    form = given.text(OUTPUT.name) if given.knows(OUTPUT.name) else None
    if form not in (None, *FORMATS):
        raise WrongUsageError(f"--output takes {', '.join(FORMATS)}; '{form}' is none of them")


def actions_of(module: KafkaToolModule) -> Actions | None:
    """The actions of a tool whose first word is one."""
    return getattr(module, "SUBCOMMANDS", None)


def all_flags(module: KafkaToolModule) -> list[Flag]:
    return sorted([*module.FLAGS, HELP, VERSION], key=lambda flag: flag.name)


def help_for(world: World) -> int:
    """How wide help may be: no terminal is narrower than it has to be, and no pipe has a width."""
    if not world.out.isatty():
        return HELP_WIDTH
    columns: int = import_module(HOST).terminal_columns()  # for help on a terminal alone
    return max(HELP_WIDTH_MIN, min(columns, HELP_WIDTH))


def help_of(tool: KafkaTool, module: KafkaToolModule, columns: int = HELP_WIDTH) -> str:
    """What it does, and each flag, in so many columns."""
    head = f"{tool.summary[0].upper()}{tool.summary[1:]}: Kafka's {tool.script}."
    flags = all_flags(module)
    about = wrapped(head, columns, hyphens=False)
    actions = actions_of(module)
    word = " " if actions is None else " ACTION "
    usage = wrapped(f"usage: moldau {tool.name}{word}[flags]", columns, hyphens=False)
    lines = [*usage, "", *about, ""]
    lines += [*_example(f"example: moldau {tool.name} {tool.example}", columns), ""]
    lines += _lines_of(flags, columns)
    for action in () if actions is None else actions.choices:
        lines += ["", *wrapped(f"{action.name}: {action.help}", columns)]
        lines += _lines_of(action.flags, columns)
    return "\n".join([*lines, ""])


def _example(text: str, columns: int) -> list[str]:
    """On one line, so that it can be copied; where a terminal is narrow, on some as shells do."""
    if columns == HELP_WIDTH:
        return [text]
    lines = [""]
    for word in text.split(" "):
        line = f"{lines[-1]} {word}".lstrip() if len(lines) == 1 else f"{lines[-1]} {word}"
        if len(line) + len(GOES_ON) <= columns or not lines[-1].strip():
            lines[-1] = line
        else:
            lines[-1] += GOES_ON
            lines.append(f"   {word}")
    return lines


def wrapped(text: str, width: int, *, hyphens: bool = True) -> list[str]:
    wrap = import_module("textwrap").wrap  # for help alone
    lines: list[str] = wrap(text, width, break_on_hyphens=hyphens)
    return lines


def _lines_of(flags: Sequence[Flag], columns: int) -> list[str]:
    width = min(max((len(shown(flag)) for flag in flags), default=0), NAMES_WIDTH_MAX)
    if columns < width + TEXT_WIDTH_MIN:
        width = UNDER_THE_NAME
    lines = []
    for flag in flags:
        name = shown(flag)
        texts = wrapped(explanation(flag), columns - width - 4)
        if len(name) > width:
            lines += _broken(name, columns)
            name = ""
        lines.append(f"  {name:<{width}}  {texts[0]}")
        lines += [f"  {'':<{width}}  {text}" for text in texts[1:]]
    return lines


def _broken(name: str, columns: int) -> list[str]:
    """The name of a flag, with what stands for its value below it where both are too long."""
    if len(name) + 2 <= columns:
        return [f"  {name}"]
    flag, _, value = name.partition(" ")
    return [f"  {flag}", *(f"    {part}" for part in wrapped(value, columns - 4))]


def shown(flag: Flag) -> str:
    """The flag, and what stands for its value."""
    value = flag.shown or {Takes.INT: "N", Takes.LONG: "N"}.get(flag.takes, "TEXT")
    if flag.takes is Takes.NOTHING:
        return f"--{flag.name}"
    return f"--{flag.name} [{value}]" if flag.takes is Takes.MAYBE else f"--{flag.name} {value}"


def explanation(flag: Flag) -> str:
    """What it does, and what holds without it."""
    if flag.instead is not None:
        return f"Deprecated: use --{flag.instead}. {flag.help}".strip()
    return flag.help if flag.default is None else f"{flag.help} (default: {flag.default})"
