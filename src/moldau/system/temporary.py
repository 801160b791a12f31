"""Directories that nobody else uses."""

from __future__ import annotations

import tempfile

__all__ = ["temporary_directory"]


def temporary_directory(prefix: str) -> str:
    """A fresh, empty one; removing it is the caller's."""
    return tempfile.mkdtemp(prefix=prefix)
