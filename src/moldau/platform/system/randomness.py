"""Randomness from the operating system, fit for secrets."""

from __future__ import annotations

from random import SystemRandom

__all__ = ["SystemRandom"]
