"""Temporary directories, and the ways in which programs name theirs."""

from __future__ import annotations

import tempfile
from os import PathLike, fspath
from os.path import abspath

__all__ = ["AnyPath", "absolute_path", "path_text", "temporary_directory"]

AnyPath = str | PathLike[str]
"""As `open` takes them."""


def temporary_directory(prefix: str) -> str:
    """A fresh, empty one; removing it is the caller's."""
    return tempfile.mkdtemp(prefix=prefix)


def absolute_path(path: AnyPath) -> str:
    """As it is from any directory."""
    return abspath(path)


def path_text(path: AnyPath) -> str:
    return fspath(path)
