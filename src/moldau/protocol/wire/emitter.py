"""What both emitters write with: lines, indentation, fresh names and the constants they refer to.

Runs of fixed-width values are held back and fused: `push` notes a value, `flush` writes one
`struct` call for all that were noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from struct import Struct as Packer
from typing import Any

PAUSE_ELEMENTS = 256
"""Elements of an array between two pauses of a codec that has some: 0.1 to 0.5 ms."""
PAUSE_NUMBERS = 4096
"""The same of numbers, which are read and written at one go."""


class Emitter:
    """Collects the source of one codec."""

    def __init__(self, scope: dict[str, Any], *, pauses: bool = False) -> None:
        """One that `pauses` becomes a generator, which yields nothing but the chance to wait."""
        self.pauses = pauses
        self.lines: list[str] = []
        self.scope = scope
        self.functions: list[str] = []
        """Finished inner functions, which stand before the main one."""
        self._depth = 1
        self._serial = 0
        self._run: list[tuple[str, str]] = []

    def line(self, text: str) -> None:
        self.lines.append(" " * self._depth + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(head)
        self._depth += 1
        yield
        self._depth -= 1

    def fresh(self, stem: str) -> str:
        """A local name that nothing else has."""
        self._serial += 1
        return f"{stem}{self._serial}"

    def pause_each(self, number: str, elements: int = PAUSE_ELEMENTS) -> None:
        """In a loop: let others run when this number of elements is done."""
        if self.pauses:
            self.line(f"if not {number} % {elements}: yield")

    def constant(self, stem: str, value: object) -> str:
        """A global name for a value; the same value keeps its name."""
        for name, known in self.scope.items():
            if known is value:
                return name
        name = self.fresh(stem)
        self.scope[name] = value
        return name

    def push(self, code: str, place: str) -> None:
        """Note a fixed-width value: its `struct` code and where it comes from or goes to."""
        self._run.append((code, place))

    def take_run(self) -> tuple[str, list[str]]:
        """The noted codes and places; nothing is noted any more."""
        codes = "".join(code for code, _ in self._run)
        places = [place for _, place in self._run]
        self._run = []
        return codes, places

    def packer(self, codes: str, method: str) -> str:
        """The global name of a method of the packer for these codes."""
        name = f"{method}_{codes.replace('?', 'o')}"
        if name not in self.scope:
            self.scope[name] = getattr(packer_for(codes), method)
        return name

    @contextmanager
    def function(self, head: str) -> Iterator[None]:
        """Write an inner function, apart from what is being written."""
        outer, self.lines = self.lines, []
        outer_depth, self._depth = self._depth, 1
        outer_run, self._run = self._run, []
        outer_pauses, self.pauses = self.pauses, False
        yield
        self.functions += [head, *self.lines]
        self.lines, self._depth, self._run = outer, outer_depth, outer_run
        self.pauses = outer_pauses

    def compile(self, head: str, name: str, title: str) -> Callable[..., Any]:
        """The function `name`, whose body is what was written; its source stays with it."""
        source = "\n".join([*self.functions, head, *self.lines, ""])
        exec(compile(source, title, "exec"), self.scope)  # noqa: S102  # text of our own making
        function: Callable[..., Any] = self.scope[name]
        function.__dict__["source"] = source
        return function


_PACKERS: dict[str, Packer] = {}


def packer_for(codes: str) -> Packer:
    """One packer for each sequence of codes, however many codecs use it."""
    if codes not in _PACKERS:
        _PACKERS[codes] = Packer(">" + codes)
    return _PACKERS[codes]
