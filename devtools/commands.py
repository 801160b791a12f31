"""The words of `./dev`, each a small function that ends in an exit code."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from devtools.check import SOURCES, WORKERS, check, pick_seed, seeded
from devtools.environment import PYTHON, ROOT, ensure_environment
from devtools.hot_modules import remove_stale

FAILED = 1
WRONG_USAGE = 2
INTERRUPTED = 130
"""What shells report for a process that Ctrl-C ended."""


def run(arguments: list[str], help_text: str) -> int:
    """Do what the first word says; the exit code."""
    word, rest = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if word not in WORDS:
        print(help_text)
        return 0 if word in ("help", "-h", "--help") else WRONG_USAGE
    ensure_environment()
    remove_stale()
    try:
        return WORDS[word](rest)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        with suppress(BrokenPipeError):
            sys.stdout.close()  # or the interpreter would try once more at its end, and complain
        return FAILED


def _python(*arguments: str, **environment: str) -> int:
    command = [str(PYTHON), *arguments]
    return subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=False).returncode


def _check(arguments: list[str]) -> int:
    return check(everything="--all" in arguments)


def _test(arguments: list[str]) -> int:
    """All tests at once on two processes, or just what the arguments ask for on one."""
    chosen = [_from_root(argument) for argument in arguments if argument != "--all"]
    how = () if chosen else ("-n", WORKERS)
    long = {"MOLDAU_LONG": "1"} if "--all" in arguments else {}
    return _python("-m", "pytest", *seeded(pick_seed()), *how, *chosen, **long)


def _from_root(argument: str) -> str:
    """A path as it was typed in the caller's folder, said from the project's root."""
    path, separator, test = argument.partition("::")
    if argument.startswith("-") or not Path(path).exists():
        return argument
    return os.path.relpath(path, ROOT) + separator + test


def _format(_arguments: list[str]) -> int:
    sorted_imports = _python("-m", "ruff", "check", "--quiet", "--select", "I", "--fix", *SOURCES)
    return _python("-m", "ruff", "format", *SOURCES) or sorted_imports


def _bench(arguments: list[str]) -> int:
    """Each benchmark is a file of bench/ with a docstring and a `main`."""
    files = sorted(path for path in (ROOT / "bench").glob("[!_]*.py"))
    if not arguments:
        for path in files:
            says = (ast.get_docstring(ast.parse(path.read_text())) or "").split("\n")[0]
            print(f"  {path.stem:<20} {says}")
        return 0
    names = [path.stem for path in files] if arguments[0] == "all" else arguments[:1]
    rest = [] if arguments[0] == "all" else arguments[1:]
    return max([_python("-m", f"bench.{name}", *rest) for name in names], default=0)


def _simulate(arguments: list[str]) -> int:
    """The tests marked `simulation`, in their long form."""
    seed = int(arguments[1]) if arguments[:1] == ["--seed"] else pick_seed()
    marked = ("-m", "pytest", "-m", "simulation", "-n", WORKERS)
    return _python(*marked, *seeded(seed), MOLDAU_LONG="1")


def _show(arguments: list[str]) -> int:
    return _python("-m", "devtools.show", *arguments)


def _docs(_arguments: list[str]) -> int:
    return _python("-m", "devtools.reference")


def _run_node(arguments: list[str]) -> int:
    return _python("-m", "moldau", "start", *arguments)


def _build(_arguments: list[str]) -> int:
    return _python("-m", "devtools.hot_modules")


WORDS: dict[str, Callable[[list[str]], int]] = {
    "check": _check,
    "test": _test,
    "fmt": _format,
    "bench": _bench,
    "sim": _simulate,
    "show": _show,
    "docs": _docs,
    "run": _run_node,
    "build": _build,
}
