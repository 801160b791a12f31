"""Functions as users write them, and as no one should; a test imports them by their names."""

from __future__ import annotations

import contextlib
import os
import signal
import sys

parts = ("value",)
topics = "pay.*"


class SilentError(Exception):
    """Even its text cannot be had."""

    def __str__(self):
        raise RuntimeError


def hang():
    while True:
        pass


def swallow():
    """No signal ends it."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    hang()


def fail():
    raise ValueError("bad magic")


def silent():
    raise SilentError


def holds_itself():
    found: list[object] = []
    found.append(found)
    return found


def nonsense():
    for number in range(3, 20):
        with contextlib.suppress(OSError):
            os.write(number, b"\0\0\0\4\0\0\0\0abcd")


KINDS = {
    b"hang": hang,
    b"swallow": swallow,
    b"fail": fail,
    b"silent": silent,
    b"leave": lambda: sys.exit(3),
    b"die": lambda: os._exit(9),
    b"set": lambda: {1},
    b"nan": lambda: float("nan"),
    b"itself": holds_itself,
    b"half": lambda: "\ud800",
    b"large": lambda: "x" * (2 << 20),
    b"memory": lambda: "x" * (4 << 30),
    b"nonsense": nonsense,
    b"print": lambda: print("hello"),
    b"text": lambda: "as it is",
    b"bytes": lambda: b'{"a":1}',
}


def decode(topic, data):
    kind = KINDS.get(data)
    return {"topic": topic, "data": data.hex()} if kind is None else kind()


def encode(topic, text):
    if text == "none":
        return None
    return f"{topic}:{text}".encode()


NO_FUNCTION = 7
