"""What a fork server runs in tests."""

from __future__ import annotations

import json
import os
import signal
import sys


def show() -> None:
    print(
        json.dumps(
            {
                "arguments": sys.argv[1:],
                "variables": dict(os.environ),
                "input": sys.stdin.read(),
                "name": __name__,
                "was_loaded": "colorsys" in sys.modules,
                "descriptors": [one for one in os.listdir("/proc/self/fd") if exists(one)],
            }
        )
    )


def exists(descriptor: str) -> bool:
    """Whether it is still open: the one that the listing was read by is not."""
    return os.path.exists(f"/proc/self/fd/{descriptor}") or os.path.islink(
        f"/proc/self/fd/{descriptor}"
    )


def wait() -> None:
    def end(number: int, frame: object) -> None:
        print("terminated", flush=True)
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)
    print(os.getpid(), flush=True)
    while True:
        signal.pause()


def main() -> None:
    match sys.argv[1:]:
        case ["show", *_]:
            show()
        case ["exit", code]:
            sys.stderr.write("it ends\n")
            sys.exit(int(code))
        case ["kill"]:
            os.kill(os.getpid(), signal.SIGTERM)
        case ["wait"]:
            wait()
        case _:
            raise ValueError(sys.argv)


if __name__ == "__main__":
    main()
