"""Numbers on the command line, held against their bounds before anything begins."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Callable

__all__ = ["whole_number"]

NUMBER = re.compile(r"-?[0-9]{1,3}(_?[0-9]{1,3}){0,6}")
"""As in Python's own source, and short enough to be read."""


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """A `type` for argparse: whole numbers with both bounds, and a sentence for all else."""

    def read(text: str) -> int:
        found = NUMBER.fullmatch(text)
        number = int(text) if found else None
        if number is None or not least <= number <= most:
            raise ArgumentTypeError(f"{text!r} is no whole number from {least} to {most}")
        return number

    return read
