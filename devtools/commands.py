"""The words of `./dev`, each a small function that ends in an exit code.

A function's docstring is what `./dev WORD --help` shows under the word's line in the help of ./dev.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from devtools.check import SOURCES, WORKERS, check, pick_seed, seeded
from devtools.environment import PYTHON, ROOT, Level, ensure_environment
from devtools.hot_modules import remove_stale

FAILED = 1
WRONG_USAGE = 2
BESIDE_KAFKA = ("gate", "versus")
LEVELS = {"run": Level.RUN, "show": Level.RUN, "build": Level.BUILD}
"""Words for which less than everything is enough."""
UNCACHED = "PYTHONDONTWRITEBYTECODE"
"""Where it is set, as in many containers, each of the hundreds of nodes that tests start would
compile all of its sources."""
INTERRUPTED = 130
"""What shells report for a process that Ctrl-C ended."""
HELP = ("-h", "--help")
ASKS_ONLY = {*HELP, "--list"}
"""Measures nothing."""
BUILD_SITE = ("-m", "mkdocs", "build")
QUIET_THEME = {"NO_MKDOCS_2_WARNING": "1"}
"""Without it the theme advertises its successor on every build."""
TAKES = {
    "check": "(--all)?",
    "sim": "([a-z_]+ [0-9]+)?( ?--seed [0-9]+)?",
    "fmt": "",
    "docs": "",
    "build": "",
}
"""What may stand behind a word; the arguments of other words are checked elsewhere."""


def run(arguments: list[str], help_text: str) -> int:
    """Run the command of the first word; the exit code."""
    word, rest = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if word not in WORDS:
        print(help_text)
        return 0 if word in ("help", *HELP) else WRONG_USAGE
    if _asks_for_help(word, rest):
        print(_help_of(word, help_text))
        return 0
    refusal = _refusal(word, rest)
    if refusal:
        print(refusal, file=sys.stderr)
        return WRONG_USAGE
    os.environ.pop(UNCACHED, None)
    try:
        ensure_environment(LEVELS.get(word, Level.CHECK))
        remove_stale()
        return WORDS[word](rest)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        with suppress(BrokenPipeError):
            sys.stdout.close()  # or the interpreter would try once more at its end, and complain
        return FAILED


def _asks_for_help(word: str, rest: list[str]) -> bool:
    return any(argument in HELP for argument in (rest if word in TAKES else rest[:1]))


def _help_of(word: str, help_text: str) -> str:
    """The word's line in the help of all, and its own docstring."""
    beginning = f"./dev {word} "
    lines = [
        line.strip() for line in help_text.splitlines() if f"{line.strip()} ".startswith(beginning)
    ]
    return "\n\n".join([*lines, inspect.getdoc(WORDS[word]) or ""])


def _refusal(word: str, rest: list[str]) -> str | None:
    """Why the arguments of a word make no sense, in one sentence."""
    if word not in TAKES or re.fullmatch(TAKES[word], " ".join(rest)):
        return None
    words = " ".join(rest)
    return f"dev {word}: it does not take '{words}'; ./dev {word} --help shows what it takes."


def _python(*arguments: str, **environment: str) -> int:
    command = [str(PYTHON), *arguments]
    return subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=False).returncode


def _check(arguments: list[str]) -> int:
    """Each step prints how it went in a line; the last line counts the tests.

    With --all the long tests run too: judges, crashes, floods and fuzzing at their full size.
    """
    return check(everything="--all" in arguments)


def _test(arguments: list[str]) -> int:
    """All tests on two processes, or just what the arguments ask for on one.

    With --all the long ones too. Every other argument is pytest's, such as a path, -k or -x.
    """
    chosen = [_from_root(argument) for argument in arguments if argument != "--all"]
    how = () if chosen else ("-n", WORKERS)
    long = {"MOLDAU_LONG": "1"} if "--all" in arguments else {}
    return _python("-m", "pytest", *seeded(pick_seed()), *how, *chosen, **long)


def _from_root(argument: str) -> str:
    """A path as it was typed in the caller's folder, relative to the project's root."""
    path, separator, test = argument.partition("::")
    if argument.startswith("-") or not Path(path).exists():
        return argument
    return os.path.relpath(path, ROOT) + separator + test


def _format(_arguments: list[str]) -> int:
    """Files are changed where they lie; ./dev check only prints which would be."""
    sorted_imports = _python("-m", "ruff", "check", "--quiet", "--select", "I", "--fix", *SOURCES)
    return _python("-m", "ruff", "format", *SOURCES) or sorted_imports


def _bench(arguments: list[str]) -> int:
    """Each benchmark is a file or a folder of bench/; further arguments are its own.

    The hot modules are compiled before, as an installation has them. `all` leaves out `versus` and
    `gate`, which start Apache Kafka and take their time.
    """
    found = _benchmarks()
    if not arguments:
        for name, path in found.items():
            summary = (ast.get_docstring(ast.parse(path.read_text())) or "").split("\n")[0]
            print(f"  {name:<20} {summary}")
        return 0
    if not ASKS_ONLY & set(arguments) and (status := _build([])):
        return status
    if arguments[0] != "all":
        return _python("-m", f"bench.{arguments[0]}", *arguments[1:])
    names = [name for name in found if name not in BESIDE_KAFKA]
    return max([_python("-m", f"bench.{name}") for name in names], default=0)


def _benchmarks() -> dict[str, Path]:
    """By name, the file that has the docstring and the `main`."""
    folder = ROOT / "bench"
    files = {path.stem: path for path in folder.glob("[!_]*.py")}
    packages = {path.parent.name: path for path in folder.glob("*/__main__.py")}
    return dict(sorted((files | packages).items()))


def _simulate(arguments: list[str]) -> int:
    """The tests marked `simulation`, in their long form.

    A seed is drawn and printed; with --seed N the run with that seed is repeated. With a KIND, such
    as quorum, elections, replication or leaders, only its scenarios are run, for COUNT
    seeds from that one on, in one process that prints how far it has got and which ended badly.
    """
    seed = int(arguments[-1]) if "--seed" in arguments else pick_seed()
    if arguments and arguments[0] != "--seed":
        return _python("-m", "tests.simulation.many_seeds", *arguments[:2], str(seed))
    marked = ("-m", "pytest", "-m", "simulation", "-n", WORKERS)
    return _python(*marked, *seeded(seed), MOLDAU_LONG="1")


def _show(arguments: list[str]) -> int:
    """Prints the source of the two functions that decode and encode this version."""
    return _python("-m", "devtools.show", *arguments)


def _docs(_arguments: list[str]) -> int:
    """The pages of settings, messages, metrics and commands, from the code.

    Then the static site, from these and all other pages, in ./site: open site/index.html.
    """
    return (
        _python("-m", "devtools.reference")
        or _python("-m", "devtools.dashboards")
        or _python(*BUILD_SITE, **QUIET_THEME)
    )


def _run_node(arguments: list[str]) -> int:
    """Without ARGS it keeps its data in ./moldau-data and serves on 127.0.0.1:9092.

    `.venv/bin/moldau start --help` lists all ARGS.
    """
    return _become("-m", "moldau", "start", *arguments)


def _become(*arguments: str) -> int:
    """Go on as the virtual environment's Python, in the caller's folder: signals meet it alone."""
    os.execv(PYTHON, [str(PYTHON), *arguments])


def _build(_arguments: list[str]) -> int:
    """A node runs without it too; ./dev removes what is older than its source."""
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
