"""A process that has loaded what programs need, and becomes each of them by a fork.

A Python program that imports much is ready a second after its start. One that is forked from a
process that has imported all of it already takes a hundredth of that, and shares its memory. Here
is that process. `fork_client` is run in place of the program: it hands over its arguments,
variables and standard streams, waits until what was forked has ended, and ends with its exit code.
Where the client itself has ended, by a signal or otherwise, what it stands for gets SIGTERM.

Only some modules are run, and only where a Python that starts with this request would have been the
same: in this directory, and with these variables but for those that are named as free. Otherwise,
and wherever the server fails, the client becomes that Python, as if there were no server.

The server ends when the process has that started it. It looks at that process itself, and not for
the end of a pipe from it, whose descriptor a mistake could close. Where the server ends before
its programs do, they go on, and so do their clients.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

__all__ = ["ForkServer", "can_fork", "main", "start"]

TAKEN: Final = b"+"
REFUSED: Final = b"-"
SIZE: Final = struct.Struct(">I")
"""Of a request, which is a JSON object. The standard streams come with these bytes."""
EXIT_CODE: Final = struct.Struct(">i")
STANDARD_STREAMS: Final = 3
REQUEST_BYTES_MAX: Final = 16 * 1024 * 1024
"""Arguments and variables are some kilobytes."""
REQUEST_S: Final = 10
"""A client sends it at once."""
WAITING_MAX: Final = 64
"""Clients that connect while the modules are loaded."""
PROCESS_ID: Final = struct.Struct(">i")
"""Of the forked program; it follows `TAKEN`."""
LISTENER: Final = 3
"""What it is started with beside the standard streams."""
DESCRIPTORS_MAX: Final = 1 << 20
"""More than Linux lets a process have, by default."""
OF_SHELLS: Final = ("_", "PWD", "OLDPWD", "SHLVL")
"""Variables that a shell between this process and the client sets."""
HANGUP_ALONE: Final = 0


def can_fork() -> bool:
    """Whether the libraries that are loaded bear a fork here, and a process can be looked at."""
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:  # Linux before 5.3, or a sandbox
        return False
    return True


def start(
    programs: Iterable[str],
    modules: Iterable[str],
    free: Iterable[str],
    variables: Mapping[str, str],
) -> str:
    """Start one that loads `modules` and runs the modules `programs`; the path of its socket.

    `free` are beginnings of the variables' names in which a client may differ, `variables` are put
    over those of this process. `OSError` where it cannot be started.
    """
    path = f"{tempfile.mkdtemp(prefix='moldau-fork-')}/socket"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(WAITING_MAX)
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDWR, 0),
        (os.POSIX_SPAWN_DUP2, 0, 1),
        (os.POSIX_SPAWN_DUP2, 0, 2),
        (os.POSIX_SPAWN_DUP2, listener.fileno(), LISTENER),
    ]
    what = [",".join(programs), ",".join(free), *modules]
    command = [sys.executable, "-m", __name__, str(os.getpid()), path, *what]
    os.posix_spawn(sys.executable, command, {**os.environ, **variables}, file_actions=actions)
    listener.close()
    return path


class ForkServer:
    """Forks a child for each client, and has the child's exit code for it."""

    def __init__(self, listener: socket.socket, starter: int) -> None:
        """`starter` is a descriptor of the process with which it ends."""
        self._listener = listener
        self._starter = starter
        self._clients: dict[int, socket.socket] = {}
        self._poll = select.poll()
        self._woken, self._waking = os.pipe()
        os.set_blocking(self._waking, False)

    def run(self) -> socket.socket | None:
        """Nothing, when the starter has ended. In a child, at once, its client."""
        signal.signal(signal.SIGCHLD, lambda number, frame: None)  # so that it is a wake-up
        signal.set_wakeup_fd(self._waking)
        for descriptor in (self._starter, self._listener.fileno(), self._woken):
            self._poll.register(descriptor, select.POLLIN)
        while True:
            ready = {descriptor for descriptor, _ in self._poll.poll()}
            if self._starter in ready:
                return None
            if self._woken in ready:
                os.read(self._woken, WAITING_MAX)
                self._reap()
            self._end_without_client(ready)
            if self._listener.fileno() in ready:
                client, _ = self._listener.accept()
                if self._fork_for(client) == 0:
                    return client

    def _fork_for(self, client: socket.socket) -> int:
        process_id = os.fork()
        if process_id == 0:
            self._let_go()
            return process_id
        self._clients[process_id] = client
        self._poll.register(client, HANGUP_ALONE)
        return process_id

    def _let_go(self) -> None:
        """Close what is the server's."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for one in (self._listener, *self._clients.values()):
            one.close()
        for descriptor in (self._starter, self._woken, self._waking):
            os.close(descriptor)

    def _reap(self) -> None:
        while self._clients:
            process_id, status = os.waitpid(-1, os.WNOHANG)
            if process_id == 0:
                return
            client = self._clients.pop(process_id)
            with suppress(KeyError):  # it has ended before its program
                self._poll.unregister(client)
            with suppress(OSError):
                client.sendall(EXIT_CODE.pack(os.waitstatus_to_exitcode(status)))
            client.close()

    def _end_without_client(self, ready: set[int]) -> None:
        for process_id, client in self._clients.items():
            if client.fileno() in ready:
                self._poll.unregister(client)
                os.kill(process_id, signal.SIGTERM)


def _become(client: socket.socket, programs: Sequence[str], free: Sequence[str]) -> None:
    """Run the program as the client's request has it."""
    client.settimeout(REQUEST_S)
    request, streams = _received(client)
    if not _fits(request, programs, free):
        client.sendall(REFUSED)
        return
    client.sendall(TAKEN + PROCESS_ID.pack(os.getpid()))
    client.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["variables"])
    _, program, *arguments = request["arguments"]
    sys.argv = [program, *arguments]
    runpy.run_module(program, run_name="__main__", alter_sys=True)


def _received(client: socket.socket) -> tuple[dict[str, Any], list[int]]:
    head, streams, _, _ = socket.recv_fds(client, SIZE.size, STANDARD_STREAMS)
    (size,) = SIZE.unpack(head)
    assert size <= REQUEST_BYTES_MAX, "a request is some kilobytes"
    assert len(streams) == STANDARD_STREAMS, "a client sends its standard streams"
    text = b""
    while len(text) < size:
        piece = client.recv(size - len(text))
        assert piece, "a client sends all of its request"
        text += piece
    return json.loads(text), streams


def _fits(request: Mapping[str, Any], programs: Sequence[str], free: Sequence[str]) -> bool:
    """Whether a Python that starts with this request would be as this one is."""
    return (
        request["arguments"][:2] in [["-m", program] for program in programs]
        and request["folder"] == os.getcwd()
        and all(
            os.environ.get(name, "") == value or name in OF_SHELLS or name.startswith(tuple(free))
            for name, value in request["variables"].items()
        )
    )


def _opened(process_id: int) -> int | None:
    """A descriptor of the process that has started this one, unless it has ended."""
    try:
        found = os.pidfd_open(process_id)
    except OSError:
        return None
    return found if os.getppid() == process_id else None


def main() -> None:
    """Be the server; in a child of it, the program."""
    starter_id, path, programs, free, *modules = sys.argv[1:]
    os.closerange(LISTENER + 1, DESCRIPTORS_MAX)  # what was inherited
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the process that started this one
    listener = socket.socket(fileno=LISTENER)
    starter = _opened(int(starter_id))
    client = None if starter is None else _served(ForkServer(listener, starter), modules)
    if client is None:
        shutil.rmtree(os.path.dirname(path), ignore_errors=True)
    else:
        _become(client, programs.split(","), free.split(","))


def _served(server: ForkServer, modules: Iterable[str]) -> socket.socket | None:
    """What `run` returns, with these modules loaded."""
    for name in modules:
        with suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    return server.run()


if __name__ == "__main__":
    main()
