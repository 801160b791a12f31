"""A logger that loads the standard library's `logging` with its first line.

That takes 10 ms, of the 100 in which a tool lists topics and logs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["LazyLog"]

CALLER = 2
"""Who logs, seen from `logging`: not this module."""


class LazyLog:
    """The logger of a module; with as much as needs no others."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<LazyLog {self._name}>"

    def warning(self, text: str, *arguments: object) -> None:
        self._logger().warning(text, *arguments, stacklevel=CALLER)

    def error(self, text: str, *arguments: object, exc_info: BaseException | None = None) -> None:
        self._logger().error(text, *arguments, exc_info=exc_info, stacklevel=CALLER)

    def _logger(self) -> Any:  # noqa: ANN401
        return import_module("logging").getLogger(self._name)
