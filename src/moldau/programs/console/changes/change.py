"""A change as a value: its command line, the difference it makes, and how it is done."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from moldau.programs.console.reach import Reach

__all__ = ["NUMBER", "Change", "Difference", "Given", "Kind", "Planner"]

NUMBER: Final = re.compile(r"[0-9]{1,10}")
"""Of a partition or a broker, in a text; Python itself refuses to read thousands of digits."""

Given: TypeAlias = Mapping[str, Any]
"""The JSON object of the request."""


class Difference(NamedTuple):
    """One line of what changes; None where there is nothing before, or nothing after."""

    what: str
    before: str | None
    after: str | None


class Change(NamedTuple):
    """What a planner found."""

    command: str
    differences: list[Difference]
    run: Callable[[], Awaitable[object]]
    warning: str | None = None
    """What cannot be taken back, or does more than it seems."""
    undo: tuple[str, Mapping[str, Any]] | None = None
    """The kind and the body of the change that takes this one back, where there is one."""


Planner: TypeAlias = Callable[[Reach, Given], Awaitable[Change]]


class Kind(NamedTuple):
    """One line of the table of changes."""

    name: str
    summary: str
    fields: Mapping[str, str]
    plan: Planner
