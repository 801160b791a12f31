"""`python -m moldau` is the `moldau` command.

What it takes to be one is imported where Ctrl-C is already expected.
"""

import sys
from importlib import import_module

from moldau.platform.system.interrupts import end_at_once

__all__ = ["main"]

INTERRUPTED = 130
"""What shells report for a process that Ctrl-C ended."""


def main() -> int:
    """Entry point of the installed command."""
    end_at_once()
    try:
        return int(import_module("moldau.programs.tools.main").main())
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        end_at_once()


if __name__ == "__main__":
    sys.exit(main())
