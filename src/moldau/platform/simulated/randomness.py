"""Randomness that a seed repeats."""

from __future__ import annotations

from random import Random as SeededRandom

__all__ = ["SeededRandom"]
