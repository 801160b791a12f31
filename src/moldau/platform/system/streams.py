"""The streams that a process is given: they may be closed, and may not encode every character."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterable
from typing import TextIO

__all__ = [
    "abandon_output",
    "is_about_output",
    "standard_errors",
    "standard_input",
    "standard_output",
]

OF_OUTPUT = frozenset({errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def standard_output() -> TextIO:
    """Where results go; nowhere if the process was started with it closed."""
    return _usable(sys.stdout)


def standard_errors() -> TextIO:
    return _usable(sys.stderr)


def standard_input() -> Iterable[bytes]:
    """Its lines, as bytes; none if the process was started with it closed."""
    return () if sys.stdin is None else sys.stdin.buffer


def is_about_output(error: OSError) -> bool:
    """Whether writing to a stream failed: an error of a file names the file."""
    return error.errno in OF_OUTPUT and error.filename is None


def abandon_output() -> None:
    """Close standard output, or the interpreter would try once more at its end, and complain."""
    try:
        if sys.stdout is not None:
            sys.stdout.close()
    except OSError:
        pass


def _usable(stream: TextIO | None) -> TextIO:
    """A character that the stream has no code for is written as its number."""
    if stream is None:
        return open(os.devnull, "w")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream
