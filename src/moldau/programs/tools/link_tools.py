"""`moldau link-tools`: scripts with the names that runbooks have for Kafka's tools.

    moldau link-tools ~/bin          kafka-topics.sh, kafka-topics, and so on for each tool

Each runs the `moldau` of the Python that wrote it. A script that this command wrote is written
anew; any other file with such a name is left alone, and then nothing is written at all.
"""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace

from moldau.errors import MoldauError
from moldau.platform.ports.files import Files, read_whole, replace_whole
from moldau.platform.system.temporary import absolute_path
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.table import KAFKA_TOOLS, SCRIPTS_OF_COMMANDS

__all__ = ["ForeignFileError", "declare", "run", "script_of"]

MARK = "# Written by `moldau link-tools`; written anew when that is run again."
SUFFIX = ".sh"


class ForeignFileError(MoldauError):
    """Something that this command did not write has the name of a script."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} was not written by this command: nothing is written; move it away, or name "
            "another directory"
        )


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="where the scripts go")


def run(options: Namespace, world: World) -> int:
    directory = absolute_path(options.directory)
    scripts = {
        f"{directory}/kafka-{name}{suffix}": script_of(name)
        for name in (*(tool.name for tool in KAFKA_TOOLS), *SCRIPTS_OF_COMMANDS)
        for suffix in (SUFFIX, "")
    }
    for path in scripts:
        if not _is_ours(world.files, path):
            raise ForeignFileError(path)
    world.files.make_directory(directory)
    for path, text in scripts.items():
        replace_whole(world.files, path, text.encode(), syncs_directory=False)
        world.files.make_executable(path)
    print(f"{len(scripts)} scripts are in {directory}", file=world.out)
    return 0


def script_of(name: str) -> str:
    """What runs the command of this name."""
    python = shlex.quote(sys.executable)
    return f'#!/bin/sh\n{MARK}\nexec {python} -m moldau {name} "$@"\n'


def _is_ours(files: Files, path: str) -> bool:
    """Also where nothing is."""
    status = files.status(path)
    if status is None:
        return True
    return not status.is_directory and MARK.encode() in read_whole(files, path)
