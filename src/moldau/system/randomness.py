"""Randomness from the operating system, fit for secrets."""

from __future__ import annotations

from random import SystemRandom  # noqa: TID251 (this is the port)

__all__ = ["SystemRandom"]
