"""Lines that a person types at a terminal: with a history, and completed by the tabulator."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

try:
    import readline
except ImportError:  # some builds of Python have none: typing works without it
    readline = None  # type: ignore[assignment]

__all__ = ["edited_lines"]

READLINE = ("tab: complete", "set show-all-if-ambiguous on")
LIBEDIT = ("bind ^I rl_complete",)


def edited_lines(prompt: str, complete: Callable[[str], list[str]]) -> Iterator[str] | None:
    """None where standard input is no terminal; `complete` is given the line up to the cursor.

    What is completed goes on behind a `/`, and is a whole word otherwise. Where a word may go on in
    several ways, the first tabulator shows them all.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        return None
    if readline is not None:
        _prepare(complete)
    return _lines(prompt)


def _prepare(complete: Callable[[str], list[str]]) -> None:
    import readline  # not every Python has it

    def nth(_word: str, index: int) -> str | None:
        found = complete(readline.get_line_buffer()[: readline.get_endidx()])
        return _whole(found[index]) if index < len(found) else None

    readline.set_completer(nth)
    readline.set_completer_delims(" ")
    for line in LIBEDIT if "libedit" in (readline.__doc__ or "") else READLINE:
        readline.parse_and_bind(line)


def _whole(word: str) -> str:
    """With the space that the next word stands behind."""
    return word if word.endswith("/") else f"{word} "


def _lines(prompt: str) -> Iterator[str]:
    while True:
        try:
            yield input(prompt)
        except EOFError:
            return
        except KeyboardInterrupt:
            sys.stdout.write("^C\n")
