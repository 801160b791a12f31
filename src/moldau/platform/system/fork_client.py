"""A script that stands for a program which a fork server runs: see `fork_server`.

    python -I -S fork_client.py SOCKET PYTHON ARGUMENT …

Where the server does not take the request, it becomes `PYTHON ARGUMENT …`. Where the server ends
later, it waits for the program alone. It imports little, and nothing of ours: to be there soon is
what it is for.
"""

from __future__ import annotations

import json
import os
import select
import socket
import struct
import sys

__all__ = ["main"]

TAKEN = b"+"
SIZE = struct.Struct(">I")
PROCESS_ID = struct.Struct(">i")
EXIT_CODE = struct.Struct(">i")
ANSWER_S = 10
"""The server may still be loading."""
STANDARD_STREAMS = (0, 1, 2)
OF_SIGNALS = 128
"""What a shell adds to the number of a signal that has ended a program."""
FAILED = 1


def main() -> None:
    """End as the forked program does, or become the program."""
    path, *command = sys.argv[1:]
    taken = _taken(path, command[1:])
    if taken is None:
        os.execv(command[0], command)  # noqa: S606 - to run it is what this is for
    _close_streams()
    os.setpgid(0, 0)  # so that Ctrl-C in a terminal does not end it
    code = _exit_code(*taken)
    os._exit(code if code >= 0 else OF_SIGNALS - code)


def _taken(path: str, arguments: list[str]) -> tuple[socket.socket, int] | None:
    """A connection to the server, if it runs this, and the id of the forked process."""
    client = socket.socket(socket.AF_UNIX)
    request = {"arguments": arguments, "variables": dict(os.environ), "folder": os.getcwd()}
    text = json.dumps(request).encode()
    try:
        client.settimeout(ANSWER_S)
        client.connect(path)
        socket.send_fds(client, [SIZE.pack(len(text))], STANDARD_STREAMS)
        client.sendall(text)
        answer = client.recv(len(TAKEN) + PROCESS_ID.size)
        if answer.startswith(TAKEN):
            return client, PROCESS_ID.unpack(answer[len(TAKEN) :])[0]
    except OSError:
        pass  # no server, or one that fails
    client.close()
    return None


def _close_streams() -> None:
    """They are the program's now, and are at their end when it has ended."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in STANDARD_STREAMS:
        os.dup2(nowhere, number)


def _exit_code(client: socket.socket, process_id: int) -> int:
    client.settimeout(None)
    code = client.recv(EXIT_CODE.size)
    if code:
        (number,) = EXIT_CODE.unpack(code)
        return int(number)
    _await_end(process_id)
    return FAILED


def _await_end(process_id: int) -> None:
    """Of a program whose server has ended before it, so that its code cannot be had."""
    try:
        program = os.pidfd_open(process_id)
    except OSError:
        return  # it has ended
    select.select([program], [], [])


if __name__ == "__main__":
    main()
