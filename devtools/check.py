"""`./dev check`: what CI asks, in the order of how fast it says no."""

from __future__ import annotations

import os
import random
import time

from devtools.steps import Step, closing_line, run_steps

SOURCES = ("src", "tests", "bench", "devtools", "examples", "dev")
WORKERS = "2"
"""CI has two cores; more processes would only take turns."""
SLOWEST = ("--durations=30", "--durations-min=15")
"""Where everything runs one wants to know what takes so long."""
SEED_LIMIT = 2**32
"""NumPy takes no larger one, and it is reseeded with the rest."""
CONTRACTS = "from importlinter.cli import lint_imports_command as check; check()"


def check(everything: bool) -> int:
    """Run every step; the exit code."""
    started = time.monotonic()
    environment = {"MOLDAU_LONG": "1"} if everything else {}
    report = run_steps(_steps(pick_seed(), everything), environment)
    if not report.tests["passed"]:
        report.failed.append("no test ran")
    if report.failed:
        print(f"check: FAILED at {', '.join(report.failed)}")
    else:
        print(f"check: green ({', '.join(report.passed)})")
    print(closing_line(report.tests, time.monotonic() - started), flush=True)
    return 1 if report.failed else 0


def _steps(seed: int, everything: bool = False) -> list[Step]:
    """Tests run with the hot modules compiled, and where everything runs without before."""
    ruff = ("-m", "ruff")
    tidy = ("tests/tidy", "tests/docs")
    rest = (*(f"--ignore={folder}" for folder in tidy), "-n", WORKERS, "--dist", "worksteal")
    also = SLOWEST if everything else ()
    tests = ("-m", "pytest", *seeded(seed), *rest, *also)
    interpreted = [
        Step("plain", ("-m", "devtools.hot_modules", "--remove")),
        Step("interpreted", tests, streams=True),
    ]
    return [
        Step("format", (*ruff, "format", "--check", *SOURCES)),
        Step("lint", (*ruff, "check", *SOURCES)),
        Step("types", ("-m", "mypy")),
        Step("contracts", ("-c", CONTRACTS)),
        *(interpreted if everything else []),
        Step("build", ("-m", "devtools.hot_modules")),
        Step("tidy", ("-m", "pytest", *seeded(seed), *tidy)),
        Step("tests", tests, streams=True),
    ]


def pick_seed() -> int:
    """The run's seed: MOLDAU_SEED, or a new one."""
    given = os.environ.get("MOLDAU_SEED")
    return int(given) if given else random.SystemRandom().randrange(SEED_LIMIT)


def seeded(seed: int) -> tuple[str, ...]:
    """The same seed for the order of tests, for what they draw, and for Hypothesis."""
    return ("-p", "randomly", f"--randomly-seed={seed}", f"--hypothesis-seed={seed}")
