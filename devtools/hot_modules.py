"""The modules that are compiled: which they are, and that no compiled one outlives its source.

`./dev build` compiles them beside their sources, where Python finds them first. What they were
made from is remembered as a hash; every other word of `./dev`, and every run of the tests, removes
them as soon as a source, a compiler or the Python is another, so that tests run what is read.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
STAMP = BUILD / "hot" / "made-from"


def hot_modules() -> list[str]:
    """Their full names, from the one list in pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages: dict[str, list[str]] = settings["tool"]["moldau"]["hot"]
    return [f"{package}.{name}" for package, names in packages.items() for name in names]


def source_of(name: str) -> Path:
    return ROOT / "src" / f"{name.replace('.', '/')}.py"


def compiled_files() -> Iterator[Path]:
    """Every extension among the sources, for whatever Python, also of modules once hot."""
    yield from (ROOT / "src").rglob("*.so")


def remove_stale() -> bool:
    """Remove compiled modules unless they are what the sources say; whether they may stay."""
    if STAMP.exists() and STAMP.read_text() == _fingerprint():
        return True
    remove()
    return False


def remove() -> None:
    """From now on the sources run."""
    STAMP.unlink(missing_ok=True)
    for path in list(compiled_files()):
        path.unlink(missing_ok=True)


def _remove_linked() -> None:
    """What an interrupted build has linked may be half a file that looks newer than its source."""
    for path in list(BUILD.glob("lib.*/**/*.so")):
        path.unlink(missing_ok=True)


def compile_hot_modules() -> int:
    """Compile what has changed; the exit code."""
    if remove_stale() and any(compiled_files()):
        print("The hot modules are compiled and fresh.")
        return 0
    fingerprint = _fingerprint()
    _remove_linked()
    status = _build()
    if status:
        remove()
        return status
    if not any(compiled_files()):
        print("No C compiler or no Python headers here: the hot modules run as plain Python.")
        return 0
    STAMP.write_text(fingerprint)
    print(f"{len(hot_modules())} modules are compiled.")
    return 0


def _build() -> int:
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    environment = os.environ | {"MOLDAU_COMPILE": "require"}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def _fingerprint() -> str:
    """A compiled module holds constants of the others, so they are fresh or stale together."""
    digest = hashlib.sha256("\n".join(_compilers()).encode())
    for path in [ROOT / "setup.py", *map(source_of, hot_modules())]:
        digest.update(f"{path.relative_to(ROOT)}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _compilers() -> list[str]:
    """The environment's Python and mypy, whatever Python runs this."""
    venv = ROOT / ".venv"
    settings = venv / "pyvenv.cfg"
    python = settings.read_text() if settings.exists() else sys.version
    mypy = venv.glob("lib/python*/site-packages/mypy-*.dist-info")
    return [python, *sorted(path.name for path in mypy)]


def main(arguments: list[str]) -> int:
    """`--remove` has the sources run; otherwise what has changed is compiled."""
    if arguments == ["--remove"]:
        remove()
        return 0
    return compile_hot_modules()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
