"""What all tests share: which of them run, how much, and from which seed.

- Tests marked `long` run only where MOLDAU_LONG=1 (`./dev check --all` sets it).
- `volume(quick, long)` picks an amount of work for a test that runs in both.
- `seed` is the run's one seed, printed at the end. MOLDAU_SEED=N ./dev test repeats it.
- `spark`, `broker` and `topics` are what tests of Spark share; see tests/spark/fixtures.py.
- `small_disk` is a file system that a test may fill; see tests/small_disk.py.
- `kafka_libs` is the folder of Apache Kafka's jars, or the test is skipped with the reason.
- Hypothesis follows the same switch with its profiles `quick` and `long`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from devtools.hot_modules import remove_stale
from tests.judges.kafka_jars import MissingJudge, find_kafka_libs

remove_stale()  # before anything of ours is imported, so that what runs is what is read

pytest_plugins = ["tests.order", "tests.small_disk", "tests.spark.fixtures"]

LONG = os.environ.get("MOLDAU_LONG") == "1"
TESTS = Path(__file__).parent
SIMULATION = TESTS / "simulation"
ASK_OTHERS = tuple(TESTS / name for name in ("cluster", "interop", "spark"))
QUICK_EXAMPLES = 100
LONG_EXAMPLES = 500

settings.register_profile(
    "quick",
    max_examples=QUICK_EXAMPLES,
    deadline=None,  # the machine may be busy: time is no promise of these tests
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", settings.get_profile("quick"), max_examples=LONG_EXAMPLES)
settings.load_profile("long" if LONG else "quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what follows from a test's folder, and leave the long tests out of a short run."""
    for item in items:
        if SIMULATION in item.path.parents:
            item.add_marker("simulation")
        if any(folder in item.path.parents for folder in ASK_OTHERS):
            item.add_marker("judge")
    if LONG:
        return
    long = [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how to repeat this very run; one with `-p no:randomly` needs no seed."""
    run_seed = terminalreporter.config.getoption("randomly_seed", default=None)
    if run_seed is not None:
        repeat = f"MOLDAU_SEED={run_seed} ./dev test"
        terminalreporter.write_line(f"seed {run_seed} (repeat with {repeat})")


@pytest.fixture(scope="session")
def seed(pytestconfig: pytest.Config) -> int:
    """The seed of this run; a test that draws at random draws from it and prints what it drew."""
    return int(pytestconfig.getoption("randomly_seed", default=0))


@pytest.fixture(scope="session")
def volume() -> Callable[[int, int], int]:
    """`volume(quick, long)`: how much to do in this run."""
    return lambda quick, long: long if LONG else quick


@pytest.fixture(scope="session")
def kafka_libs() -> Path:
    """The jars of the Apache Kafka that we are measured by."""
    try:
        return find_kafka_libs()
    except MissingJudge as missing:
        pytest.skip(str(missing))
