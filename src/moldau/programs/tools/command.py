"""What a command is: one file with two functions, and one line in the table of `tools.main`.

A command's module holds

    def declare(parser: ArgumentParser) -> None        its arguments and flags
    def run(options: Namespace, world: World) -> int   does it; the exit code

and nothing of it runs before someone types its name: the table imports it by name, so that
`moldau --help` stays quick however many commands there are. `run` writes results to `world.out`
and raises `MoldauError` with one sentence when it cannot go on: the sentence goes to
`world.errors` and the exit code is 1. Wrong usage is argparse's and exits with 2.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from typing import Protocol, TextIO

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass

__all__ = ["Command", "CommandModule", "World"]


def _at_once(_seconds: float) -> None:
    """How a world without time waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Everything a command may touch; a test passes simulated ports and two string buffers."""

    files: Files
    clock: Clock
    random: Random
    out: TextIO
    errors: TextIO
    typed: Iterable[bytes] = ()
    """Lines of standard input."""
    wait: Callable[[float], None] = _at_once
    """Return after so many seconds."""


@dataclass(frozen=True, slots=True)
class Command:
    """One line of the table."""

    name: str
    """As it is typed: words joined by hyphens."""
    summary: str
    """One line for `moldau --help`, in the imperative, without a full stop."""
    module: str
    """Where `declare` and `run` are."""


class CommandModule(Protocol):
    """The two functions, as the table finds them in a module."""

    def declare(self, parser: ArgumentParser) -> None: ...

    def run(self, options: Namespace, world: World) -> int: ...
