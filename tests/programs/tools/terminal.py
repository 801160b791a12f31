"""A program on a pseudo-terminal of 60 columns and 14 rows: what a person sees, and types."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Sequence

COLUMNS, ROWS = 60, 14
SECONDS_MAX = 60
CODES = re.compile(r"\x1b(?:\[[0-9;?]*[a-zA-Z]|[=>])")
SIZES = ("COLUMNS", "LINES")


class Terminal:
    """A program on a terminal, and what it has written so far."""

    def __init__(
        self, *words: str, columns: int = COLUMNS, program: Sequence[str] | None = None
    ) -> None:
        """`words` are for `moldau`, or begin with `-c` and are for Python, or for `program`."""
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
        environment = {name: text for name, text in os.environ.items() if name not in SIZES}
        if program is None:
            program = (sys.executable, *(() if words[0] == "-c" else ("-m", "moldau")))
        self.process = subprocess.Popen(
            [*program, *words], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        os.close(theirs)
        self._written = b""

    def read_until(self, is_there: Callable[[str], bool]) -> str:
        """The text of all that was written, without what moves the cursor."""
        while not is_there(self.text):
            ready, _, _ = select.select([self._ours], [], [], SECONDS_MAX)
            assert ready, f"nothing more came after {self.text!r}"
            try:
                piece = os.read(self._ours, 65536)
            except OSError:  # the program has ended
                piece = b""
            if not piece:
                break
            self._written += piece
        return self.text

    @property
    def raw(self) -> str:
        return self._written.decode()

    @property
    def text(self) -> str:
        return CODES.sub("", self.raw).replace("\r\n", "\n")

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self) -> int:
        """Reads all that is still to come first: a program waits where its output is not read."""
        self.read_until(lambda _: False)
        code = self.process.wait(SECONDS_MAX)
        os.close(self._ours)
        return code
