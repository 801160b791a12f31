"""`moldau server-stop`: what `kafka-server-stop.sh` does to nodes that `moldau server-start` began.

A node is known by its command line, and by the file of properties that is named there.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from moldau.errors import MoldauError
from moldau.platform.system.daemons import own_processes, terminate
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import properties_of

FAILED = 1
NOTHING = "No kafka server to stop"
COMMAND = "server-start"
OVERRIDE = "--override"


def declare(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--process-role", metavar="ROLE", help="only nodes that are this: broker or controller"
    )
    parser.add_argument("--node-id", metavar="ID", help="only this node")


def run(options: Namespace, world: World) -> int:
    found = list(_nodes(options, world))
    for process_id in found:
        terminate(process_id)
    if not found:
        print(NOTHING, file=world.out)
        return FAILED
    return 0


def _nodes(options: Namespace, world: World) -> Iterator[int]:
    for process_id, folder, words in own_processes():
        if COMMAND not in words or not any("moldau" in word for word in words[:3]):
            continue
        properties = _properties(world, folder, words[words.index(COMMAND) + 1 :])
        roles = [role.strip() for role in properties.get("process.roles", "").split(",")]
        if options.process_role is not None and options.process_role not in roles:
            continue
        if options.node_id is not None and options.node_id != properties.get("node.id"):
            continue
        yield process_id


def _properties(world: World, folder: str, words: list[str]) -> dict[str, str]:
    """Of the file that was named, and of what was put over it."""
    found: dict[str, str] = {}
    overrides: dict[str, str] = {}
    left = iter(words)
    for word in left:
        if word == OVERRIDE:
            name, _, value = next(left, "").partition("=")
            overrides[name] = value
        elif not word.startswith("-"):
            path = word if word.startswith("/") else f"{folder}/{word}"
            try:
                found = properties_of(world.files, path)
            except MoldauError:
                found = {}  # it was removed meanwhile: the node is still one
    return found | overrides
