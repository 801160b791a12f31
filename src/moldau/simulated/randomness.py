"""Randomness that a seed repeats."""

from __future__ import annotations

from random import Random as SeededRandom  # noqa: TID251 (this is the port)

__all__ = ["SeededRandom"]
