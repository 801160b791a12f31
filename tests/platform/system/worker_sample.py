"""A worker for tests: it does what a message names."""

import os
import resource
import signal
from collections.abc import Mapping
from pathlib import Path
from queue import Queue
from threading import Event
from typing import Any

from moldau.platform.system.working import Caller

MB = 1024 * 1024


def bounds():
    return {
        "nice": os.nice(0),
        "badness": Path("/proc/self/oom_score_adj").read_text().strip(),
        "file": resource.getrlimit(resource.RLIMIT_FSIZE),
        "core": resource.getrlimit(resource.RLIMIT_CORE),
    }


def allocated(mb):
    try:
        return {"has": len(bytearray(mb * MB)) // MB}
    except MemoryError:
        return {"has": None}


def main():
    caller = Caller()
    messages: Queue[tuple[Mapping[str, Any], bytes]] = Queue()
    caller.follow(lambda head, body: messages.put((head, body)))
    while True:
        head, body = messages.get()
        match head["kind"]:
            case "echo":
                print("no message of the worker")
                caller.send(head, body)
            case "bounds":
                caller.send(bounds())
            case "allocate":
                caller.send(allocated(head["mb"]))
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case _:
                Event().wait()


if __name__ == "__main__":
    main()
