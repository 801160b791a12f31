"""Programs that go on without a terminal, and finding them again by how they were started."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

__all__ = ["own_processes", "start_detached", "terminate"]

PROCESSES = Path("/proc")
LOG_MODE = 0o644


def start_detached(command: Sequence[str], log_path: str) -> int:
    """Begin it in a session of its own, what it writes going to the file; its process id."""
    Path(log_path).parent.mkdir(parents=True, exist_ok=True)
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, LOG_MODE),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    return os.posix_spawn(  # to run it is what this is for
        command[0], list(command), os.environ, file_actions=actions, setsid=True
    )


def own_processes() -> Iterator[tuple[int, str, list[str]]]:
    """Of this user: the id, the working directory and the words of each command line."""
    for path in PROCESSES.glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile, or may not be looked at
            if path.stat().st_uid == os.getuid():
                words = (path / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
                folder = str((path / "cwd").readlink())
                yield int(path.name), folder, [os.fsdecode(word) for word in words]


def terminate(process_id: int) -> None:
    """Have it end in order; nothing where it has ended."""
    with suppress(ProcessLookupError):
        os.kill(process_id, signal.SIGTERM)
