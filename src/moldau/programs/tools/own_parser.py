"""argparse, whose complaint about a flag that is none names the nearest one.

Its help breaks lines to the width of a terminal, but not descriptions, examples and long choices:
where a terminal is narrow, those are broken here.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator
from textwrap import wrap
from typing import NoReturn

from moldau.platform.system.host import terminal_columns
from moldau.programs.tools.kafka.flags import nearest_words

__all__ = ["OwnParser"]

UNKNOWN = re.compile(r"unrecognized arguments: .*?(--?[^\s=]+)")

WIDE_FROM = 78
"""Columns; descriptions and examples are written for as many."""


class OwnParser(ArgumentParser):
    """Of a command of our own; its subcommands have it too."""

    def format_help(self) -> str:
        text, columns = super().format_help(), terminal_columns()
        if columns >= WIDE_FROM:
            return text
        lines = [part for line in text.splitlines() for part in _broken(line, columns)]
        return "\n".join([*lines, ""])

    def error(self, message: str) -> NoReturn:
        unknown = UNKNOWN.match(message)
        near = nearest_words(unknown[1], set(_flags_of(self))) if unknown else []
        super().error(f"{message}; did you mean {near[0]}?" if near else message)


def _broken(line: str, columns: int) -> list[str]:
    """The line in pieces that fit; they stand a little to the right of where it begins."""
    if len(line) <= columns:
        return [line]
    words = line.lstrip()
    indent = " " * min(len(line) - len(words), columns // 2)
    return wrap(
        words, columns, initial_indent=indent, subsequent_indent=indent + "  ",
        break_on_hyphens=False,
    )  # fmt: skip


def _flags_of(parser: ArgumentParser) -> Iterator[str]:
    """Those of its subcommands among them: argparse does not say which one was meant."""
    for action in parser._actions:
        yield from action.option_strings
        choices = action.choices
        for below in choices.values() if isinstance(choices, dict) else ():
            if isinstance(below, ArgumentParser):
                yield from _flags_of(below)
