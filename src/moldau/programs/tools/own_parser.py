"""argparse, whose complaint about a flag that is none names the nearest one."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import NoReturn

from moldau.programs.tools.kafka.flags import nearest_words

__all__ = ["OwnParser"]

UNKNOWN = re.compile(r"unrecognized arguments: .*?(--?[^\s=]+)")


class OwnParser(ArgumentParser):
    """Of a command of our own; its subcommands have it too."""

    def error(self, message: str) -> NoReturn:
        unknown = UNKNOWN.match(message)
        near = nearest_words(unknown[1], set(_flags_of(self))) if unknown else []
        super().error(f"{message}; did you mean {near[0]}?" if near else message)


def _flags_of(parser: ArgumentParser) -> Iterator[str]:
    """Those of its subcommands among them: argparse does not say which one was meant."""
    for action in parser._actions:
        yield from action.option_strings
        choices = action.choices
        for below in choices.values() if isinstance(choices, dict) else ():
            if isinstance(below, ArgumentParser):
                yield from _flags_of(below)
