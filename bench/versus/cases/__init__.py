"""The questions: each module has a tuple `CASES`, and is found by itself."""

from __future__ import annotations

import importlib
import pkgutil

from bench.versus.model import Case

FIRST = ("produce", "consume", "latency")
"""Modules in the order of the table; those that are not named come after them, by the alphabet."""


def all_cases() -> tuple[Case, ...]:
    found = {module.name for module in pkgutil.iter_modules(__path__)}
    names = [*(name for name in FIRST if name in found), *sorted(found - set(FIRST))]
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return tuple(case for module in modules for case in module.CASES)
