"""A change as a value: its command line, the difference it makes, and how it is done."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError

__all__ = ["NUMBER", "Change", "Difference", "Given", "Kind", "NothingToDoError", "Planner"]

NOTHING_TO_DO: Final = 40901
"""The code by which a page knows that a refusal is good news."""

NUMBER: Final = re.compile(r"[0-9]{1,10}")
"""Of a partition or a broker, in a text; Python itself refuses to read thousands of digits."""

Given: TypeAlias = Mapping[str, Any]
"""The JSON object of the request."""


class NothingToDoError(HttpError):
    """Refused because the cluster is already as the change would make it."""

    def __init__(self, message: str) -> None:
        super().__init__(409, message, NOTHING_TO_DO)


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
