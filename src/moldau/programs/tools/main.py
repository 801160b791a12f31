"""The `moldau` command: finds the command in the table and runs it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, cast

from moldau import __version__
from moldau.errors import MoldauError
from moldau.platform.lazy_names import imported
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.interrupts import raise_again
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.streams import (
    abandon_output,
    is_about_output,
    standard_errors,
    standard_input,
    standard_output,
)
from moldau.platform.system.variables import variable
from moldau.platform.system.waiting import wait_seconds
from moldau.programs.tools.command import Command, CommandModule, World
from moldau.programs.tools.kafka.table import KAFKA_TOOLS, SCRIPTS_OF_COMMANDS
from moldau.programs.tools.kafka.tool import KafkaTool, KafkaToolModule, help_for, help_of, run_tool

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

__all__ = [
    "COMMANDS",
    "find_command",
    "main",
    "module_of",
    "parser_for",
    "run_command",
    "tool_module_of",
]

COMMANDS = (
    Command("start", "run a node until it is stopped", "moldau.programs.tools.start"),
    Command(
        "demo", "kill a node under a producer and count what arrives", "moldau.programs.tools.demo"
    ),
    Command(
        "format",
        "prepare the directories of a node, as kafka-storage format does",
        "moldau.programs.tools.format",
    ),
    Command(
        "server-start",
        "run a node as kafka-server-start does, on a terminal or without",
        "moldau.programs.tools.server_start",
    ),
    Command(
        "server-stop",
        "stop nodes that server-start began, as kafka-server-stop does",
        "moldau.programs.tools.server_stop",
    ),
    Command(
        "storage",
        "format and show directories, versions and ids, as kafka-storage does",
        "moldau.programs.tools.storage",
    ),
    Command(
        "random-uuid",
        "print a new id, for a cluster or a directory",
        "moldau.programs.tools.random_uuid",
    ),
    Command(
        "certs",
        "make an authority, and certificates of nodes and clients for development",
        "moldau.programs.tools.certs",
    ),
    Command(
        "dump-log",
        "print a segment, an index or a snapshot of a log directory",
        "moldau.programs.tools.dump_log",
    ),
    Command(
        "metadata-shell",
        "walk through a node's metadata as through directories",
        "moldau.programs.tools.metadata.metadata_shell",
    ),
    Command(
        "profile",
        "keep servers and logins of clusters under names, for --profile NAME",
        "moldau.programs.tools.profile",
    ),
    Command(
        "link-tools",
        "write scripts with the names of Kafka's tools, kafka-topics.sh and others",
        "moldau.programs.tools.link_tools",
    ),
    Command(
        "completion",
        "print what completes commands, flags, topics and groups in a shell",
        "moldau.programs.tools.completion",
    ),
    Command(
        "explain-access",
        "name the access rule that allows or denies something",
        "moldau.programs.tools.explain_access",
    ),
    Command(
        "roles",
        "grant roles on the cluster, on topics or on groups, take them back and list them",
        "moldau.programs.tools.roles",
    ),
    Command(
        "schema",
        "list, register, check, compare, delete, export and import schemas of a registry",
        "moldau.programs.tools.schema",
    ),
    Command(
        "keys",
        "make, rotate, list and retire the keys of encryption at rest",
        "moldau.programs.tools.keys",
    ),
    Command(
        "lake",
        "compact a Delta table, or remove the files it no longer needs",
        "moldau.programs.tools.lake",
    ),
    Command(
        "registry",
        "serve schemas beside any Kafka, as Confluent's registry does",
        "moldau.programs.tools.registry",
    ),
    Command(
        "burrow",
        "serve how far groups are behind and whether they are well, as Burrow does",
        "moldau.programs.tools.burrow",
    ),
    Command(
        "probe",
        "send records through a cluster all the time, and measure how long they take",
        "moldau.programs.tools.probe",
    ),
    Command(
        "rest",
        "serve Kafka over HTTP beside any Kafka, as Confluent's REST proxy does",
        "moldau.programs.tools.rest",
    ),
    Command(
        "console",
        "serve a cluster on pages of a browser, beside any Kafka",
        "moldau.programs.tools.console",
    ),
    Command(
        "pipeline",
        "run or show a pipeline from a topic to tables of a lake, on Spark",
        "moldau.programs.tools.pipeline",
    ),
    Command(
        "cat",
        "read and write records in pipes, with kcat's flags",
        "moldau.programs.tools.cluster.cat",
    ),
    Command(
        "top",
        "show topics, groups and clients of a cluster, again and again",
        "moldau.programs.tools.cluster.top",
    ),
    Command(
        "lag",
        "show how far groups are behind, in offsets and in seconds",
        "moldau.programs.tools.cluster.lag",
    ),
    Command(
        "doctor",
        "find what is wrong with a cluster, why, and what to do",
        "moldau.programs.tools.cluster.doctor",
    ),
    Command(
        "debug-bundle",
        "gather what helpers need to know of a cluster, without records and secrets",
        "moldau.programs.tools.cluster.debug_bundle",
    ),
    Command(
        "export",
        "write a topic into a file of Parquet or JSON lines",
        "moldau.programs.tools.cluster.export_topic",
    ),
    Command(
        "import",
        "send the records of such a file to a topic",
        "moldau.programs.tools.cluster.import_topic",
    ),
    Command(
        "plan",
        "show how a cluster differs from topics, acls, quotas and users in YAML",
        "moldau.programs.tools.cluster.plan",
    ),
    Command(
        "apply",
        "make a cluster what a file of YAML declares",
        "moldau.programs.tools.cluster.apply",
    ),
    Command(
        "clone-group",
        "copy the offsets of one group to another",
        "moldau.programs.tools.cluster.clone_group",
    ),
    Command(
        "bench",
        "send load to a topic, and show a histogram of latencies",
        "moldau.programs.tools.cluster.bench",
    ),
)

PROFILE = "--profile"
OWN_PARSER = "moldau.programs.tools.own_parser"
EXAMPLES = "moldau.programs.tools.examples"
PROFILES = "moldau.programs.tools.profiles"
TOO_MANY_DIGITS = "integer string conversion"
"""Python's error for a number with more than 4,300 digits."""
OVERVIEW = "moldau.programs.tools.overview"
ROWS = "moldau.programs.tools.rows"
"""What these flags need, and is imported for them alone."""
HELP = ("help", "-h", "--help")
FAILED = 1
WRONG_USAGE = 2


def run_command(arguments: Sequence[str], world: World) -> int:
    """Run what `arguments` ask for; the exit code."""
    if not arguments or arguments[0] in HELP:
        return _help(arguments[1:], world)
    if arguments[0] == "--version":
        world.out.write(f"moldau {__version__}\n")
        return 0
    profile, arguments = _profile(arguments)
    if not arguments:
        world.errors.write(f"moldau: {PROFILE} needs a name, and a command behind it\n")
        return WRONG_USAGE
    command = find_command(arguments[0])
    if command is None:
        world.errors.write(f"moldau: no command {arguments[0]!r}; `moldau --help` lists them\n")
        return WRONG_USAGE
    return _run(command, arguments[1:], world, profile)


def _profile(words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """The profile that stands before the command, and the rest."""
    name, equals, value = words[0].partition("=")
    if name != PROFILE:
        return variable("MOLDAU_PROFILE"), words
    return (value, words[1:]) if equals else ("".join(words[1:2]), words[2:])


def _help(names: Sequence[str], world: World) -> int:
    command = find_command(names[0]) if names else None
    if command is None:
        columns = help_for(world) if world.out.isatty() else None
        text: str = import_module(OVERVIEW).overview((*COMMANDS, *KAFKA_TOOLS), columns)
        world.out.write(text)
    elif isinstance(command, KafkaTool):
        world.out.write(help_of(command, tool_module_of(command), help_for(world)))
    else:
        world.out.write(parser_for(command).format_help())
    return 0


def _run(
    command: Command | KafkaTool, arguments: Sequence[str], world: World, profile: str | None
) -> int:
    if any(word.startswith("--output") for word in arguments):
        rows = import_module(ROWS)
        form = rows.asked_form(arguments)
        if form is not None:
            code: int = rows.shown_as(
                form, lambda one: _run_in(command, arguments, one, profile), world
            )
            return code
    return _run_in(command, arguments, world, profile)


def _run_in(
    command: Command | KafkaTool, given: Sequence[str], world: World, profile: str | None
) -> int:
    try:
        arguments = given
        if profile is not None:
            arguments = import_module(PROFILES).with_profile(profile, command, given, world.files)
        if isinstance(command, KafkaTool):
            module = tool_module_of(command)
            raise_again()
            return run_tool(command, module, arguments, world)
        options = _options(command, arguments)
        raise_again()
        return module_of(command).run(options, world)
    except MoldauError as error:
        world.errors.write(f"moldau {command.name}: {error}\n")
        return FAILED
    except UnicodeEncodeError:
        world.errors.write(f"moldau {command.name}: an argument has bytes that are no text\n")
        return FAILED
    except ValueError as error:
        if TOO_MANY_DIGITS not in str(error):
            raise
        world.errors.write(f"moldau {command.name}: no number has so many digits: {error}\n")
        return FAILED


def _options(command: Command, arguments: Sequence[str]) -> Namespace:
    """What is given; wrong usage of one of Kafka's tools ends as theirs do."""
    try:
        return parser_for(command).parse_args(arguments)
    except SystemExit as left:
        if left.code == WRONG_USAGE and command.name in SCRIPTS_OF_COMMANDS:
            raise SystemExit(FAILED) from None
        raise


def parser_for(command: Command) -> ArgumentParser:
    """The command's own description, and the arguments that it takes."""
    argparse = import_module("argparse")  # which tools of Kafka's do without
    example: str = import_module(EXAMPLES).EXAMPLES[command.name]
    parser: ArgumentParser = import_module(OWN_PARSER).OwnParser(
        prog=f"moldau {command.name}",
        description=f"{command.summary[0].upper()}{command.summary[1:]}.",
        epilog=f"example: moldau {command.name} {example}".rstrip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module_of(command).declare(parser)
    return parser


def module_of(command: Command) -> CommandModule:
    """The command's module, and all that it needs."""
    return cast("CommandModule", imported(command.module))


def tool_module_of(tool: KafkaTool) -> KafkaToolModule:
    """Likewise, of a tool of Kafka's."""
    return cast("KafkaToolModule", imported(tool.module))


def find_command(name: str) -> Command | KafkaTool | None:
    """The one of this name."""
    return next((one for one in (*COMMANDS, *KAFKA_TOOLS) if one.name == name), None)


def main() -> int:
    """Run what the process was asked for, in the real world, and quiet about a closed pipe."""
    world = _real_world()
    try:
        code = run_command(sys.argv[1:], world)
        world.out.flush()
    except OSError as error:
        if not (isinstance(error, BrokenPipeError) or is_about_output(error)):
            raise
        abandon_output()
        if not isinstance(error, BrokenPipeError):
            with suppress(OSError):
                world.errors.write(f"moldau: standard output cannot be written: {error.strerror}\n")
        return FAILED
    return code


def _real_world() -> World:
    return World(
        files=SystemFiles(),
        clock=SystemClock(),
        random=SystemRandom(),
        out=standard_output(),
        errors=standard_errors(),
        typed=standard_input(),
        wait=wait_seconds,
    )
