"""`./dev check`: what CI asks, the fastest to fail first."""

from __future__ import annotations

import hashlib
import os
import random
import time

from devtools.environment import ROOT
from devtools.steps import Step, closing_line, run_steps

SOURCES = ("src", "tests", "bench", "devtools", "examples", "dev")
WORKERS = "2"
"""CI has two cores; more processes would only take turns."""
SLOWEST = ("--durations=30", "--durations-min=15")
"""What takes long is listed, so that it can be shortened."""
SEED_BYTES = 4
SEED_LIMIT = 1 << 8 * SEED_BYTES
"""NumPy takes no larger one, and it is reseeded with the rest."""
CONTRACTS = "from importlinter.cli import lint_imports_command as check; check()"


def check(everything: bool) -> int:
    """Run every step; the exit code."""
    started = time.monotonic()
    environment = {"MOLDAU_LONG": "1"} if everything else {}
    seed = pick_seed() if everything else seed_of_sources()
    report = run_steps(_steps(seed, everything), environment)
    if not report.tests["passed"]:
        report.failed.append("no test ran")
    if report.failed:
        print(f"check: FAILED at {', '.join(report.failed)}")
    else:
        print(f"check: green ({', '.join(report.passed)})")
    for name in report.unsteady:
        print(f"unsteady: {name} passed only at its second try")
    print(closing_line(report.tests, time.monotonic() - started), flush=True)
    return 1 if report.failed else 0


def _steps(seed: int, everything: bool = False) -> list[Step]:
    """Tests run with the hot modules compiled, and where everything runs without before.

    They are collected once beforehand, beside a step that leaves a core idle: what pytest makes of
    their files is kept, and each process of the run would make it anew.
    """
    ruff = ("-m", "ruff")
    tidy = ("tests/tidy", "tests/docs")
    rest = ("-m", "pytest", *seeded(seed), *(f"--ignore={folder}" for folder in tidy))
    tests = (*rest, "-n", WORKERS, "--dist", "worksteal", *SLOWEST)
    interpreted = [
        Step("plain", ("-m", "devtools.hot_modules", "--remove")),
        Step("interpreted", tests, streams=True),
    ]
    return [
        Step("format", (*ruff, "format", "--check", *SOURCES)),
        Step("lint", (*ruff, "check", *SOURCES)),
        Step("contracts", ("-c", CONTRACTS)),
        Step("types", ("-m", "mypy"), joins_next=True),
        *(interpreted if everything else []),
        Step("build", ("-m", "devtools.hot_modules")),
        Step("tidy", ("-m", "pytest", *seeded(seed), *tidy), joins_next=True),
        Step("collect", (*rest, "--collect-only", "-q")),
        Step("tests", tests, streams=True, has_second_try=not everything),
    ]


def pick_seed() -> int:
    """A seed for a run that explores: MOLDAU_SEED, or a new one."""
    given = given_seed()
    return random.SystemRandom().randrange(SEED_LIMIT) if given is None else given


def seed_of_sources() -> int:
    """The seed by which sources are judged: MOLDAU_SEED, or one that follows from the sources.

    Two runs over the same sources draw the same, so that a check that is red on one machine is red
    on all of them, and each change draws anew. `./dev test` and `./dev sim` draw by chance.
    """
    given = given_seed()
    return int.from_bytes(_hash_of_sources()[:SEED_BYTES], "big") if given is None else given


def given_seed() -> int | None:
    given = os.environ.get("MOLDAU_SEED")
    return int(given) if given else None


def _hash_of_sources() -> bytes:
    found = hashlib.sha256()
    for source in SOURCES:
        path = ROOT / source
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            found.update(file.read_bytes())
    return found.digest()


def seeded(seed: int) -> tuple[str, ...]:
    """The same seed for the order of tests, for what they draw, and for Hypothesis."""
    return ("-p", "randomly", f"--randomly-seed={seed}", f"--hypothesis-seed={seed}")
