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

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TextIO

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

__all__ = ["FORMATS", "Command", "CommandModule", "RowSink", "World", "declare_output"]

FORMATS = ("table", "wide", "json", "yaml", "csv")
"""In which rows may be shown; `tools.rows` has how."""


def _at_once(_seconds: float) -> None:
    """How a world without time waits."""


class RowSink(Protocol):
    """Where rows go that `--output` asked for."""

    def add(
        self, heads: Sequence[str], rows: Iterable[Sequence[object]], wide: Sequence[str] = ()
    ) -> None: ...


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
    rows: RowSink | None = None
    """Only with `--output`."""

    def takes(
        self, heads: Sequence[str], rows: Iterable[Sequence[object]], wide: Sequence[str] = ()
    ) -> bool:
        """Whether `--output` takes these rows; else they are to be printed.

        `wide` are the heads of columns that are shown on demand.
        """
        if self.rows is None:
            return False
        self.rows.add(heads, rows, wide)
        return True


def declare_output(parser: ArgumentParser) -> None:
    """Of a command of our own that hands rows over."""
    parser.add_argument(
        "--output",
        choices=FORMATS,
        metavar="FORM",
        help="show rows as table, wide, json, yaml or csv",
    )


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
