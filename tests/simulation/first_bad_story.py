"""Ordinary stories until one ends badly: python -m tests.simulation.first_bad_story SEEDS

Run with a copy of the sources before all others on the path, its exit code shows whether a bug in
that copy is found.
"""

from __future__ import annotations

import sys

from tests.simulation.cluster_story import live
from tests.simulation.test_replication import wrong_in

FOUND = 3
"""What the program ends with then."""


def ends_badly(seeds: int) -> bool:
    """Whether one of them does, or comes to no end."""
    for seed in range(seeds):
        try:
            wrong = wrong_in(live(seed), seed)
        except Exception as error:  # noqa: BLE001  # a node or a client cannot go on
            wrong = [error]
        if wrong:
            print(f"seed {seed}: {wrong[0]!r}")
            return True
    return False


if __name__ == "__main__":
    sys.exit(FOUND if ends_badly(int(sys.argv[1])) else 0)
