"""How a round of compaction ends that was told to."""

from __future__ import annotations

from moldau.errors import MoldauError


class CompactionStoppedError(MoldauError):
    """The log is to be cut or deleted, or has moved; nothing is lost."""
