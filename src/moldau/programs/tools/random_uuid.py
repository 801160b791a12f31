"""`moldau random-uuid`: print a new id, for a cluster or a directory."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from moldau.programs.tools.command import World
from moldau.protocol.wire.uuids import new_uuid, uuid_text


def declare(parser: ArgumentParser) -> None:
    """It takes no arguments."""


def run(options: Namespace, world: World) -> int:
    print(uuid_text(new_uuid(world.random)), file=world.out)
    return 0
