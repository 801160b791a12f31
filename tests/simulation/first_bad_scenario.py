"""Ordinary scenarios until one ends badly: python -m tests.simulation.first_bad_scenario KIND SEEDS

Run with a copy of the sources before all others on the path, its exit code shows whether a bug in
that copy is found.
"""

from __future__ import annotations

import logging
import sys

from tests.simulation.scenarios import SCENARIOS, Scenario

FOUND = 3
"""What the program ends with then."""


def ends_badly(scenario: Scenario, seeds: int) -> bool:
    """Whether one of them does, or comes to no end."""
    for seed in range(seeds):
        try:
            scenario(seed)
        except Exception as error:  # noqa: BLE001  # a node or a client cannot go on, too
            print(f"seed {seed}: {error!r}")
            return True
    return False


if __name__ == "__main__":
    logging.disable()
    sys.exit(FOUND if ends_badly(SCENARIOS[sys.argv[1]], int(sys.argv[2])) else 0)
