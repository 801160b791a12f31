"""`moldau metadata-shell`: a node's metadata as directories, with the words of Kafka's shell.

    moldau metadata-shell -s /var/lib/moldau            type ls, cd, cat, find, tree, exit
    moldau metadata-shell -s 00…42-01.checkpoint tree image/topics

It only reads, and takes no lock: a node may run meanwhile.
"""

from __future__ import annotations

from argparse import REMAINDER, ArgumentParser, Namespace
from collections.abc import Iterable

from moldau.platform.system.host import terminal_columns
from moldau.platform.system.line_editor import edited_lines
from moldau.programs.tools.command import World
from moldau.programs.tools.metadata.metadata_files import load_metadata
from moldau.programs.tools.metadata.shell import Shell
from moldau.programs.tools.metadata.tree import tree_of

__all__ = ["declare", "run"]

PROMPT = ">> "


def declare(parser: ArgumentParser) -> None:
    parser.add_argument(
        "-s",
        "--snapshot",
        required=True,
        metavar="PATH",
        help="a snapshot, a segment of the metadata log, or a directory of a node",
    )
    parser.add_argument(
        "command", nargs=REMAINDER, help="what to do once: cat, find, ls or tree with its paths"
    )


def run(options: Namespace, world: World) -> int:
    root = tree_of(load_metadata(world.files, options.snapshot))
    if options.command:
        for line in Shell(root, typed=False).run(options.command):
            print(line, file=world.out)
        return 0
    print("[ Kafka Metadata Shell ]", file=world.out)
    is_terminal = world.out.isatty()
    shell = Shell(root, typed=True, width=terminal_columns() if is_terminal else 0)
    edited = edited_lines(PROMPT, shell.complete) if is_terminal else None
    for line in _prompted(world) if edited is None else edited:
        for answer in shell.take(line):
            print(answer, file=world.out)
        if shell.has_ended:
            break
    return 0


def _prompted(world: World) -> Iterable[str]:
    """Lines of standard input, with the prompt before each, as Kafka's shell has it in a pipe."""
    world.out.write(PROMPT)
    for line in world.typed:
        yield line.decode(errors="replace").rstrip("\n")
        world.out.write(PROMPT)
