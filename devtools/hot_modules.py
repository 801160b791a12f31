"""The modules that are compiled: which they are, and that no compiled one outlives its source.

`./dev build` compiles them beside their sources, where Python finds them first. What they were
made from is remembered as a hash; every other word of `./dev` removes them as soon as a source or
the Python is another, so that tests run what is read.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAMP = ROOT / "build" / "hot" / "made-from"
BUILT = ROOT / "build" / "hot-tested"


def hot_modules() -> list[str]:
    """Their full names, from the one list in pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    names: list[str] = settings["tool"]["moldau"]["hot"]
    return names


def source_of(name: str) -> Path:
    return ROOT / "src" / f"{name.replace('.', '/')}.py"


def compiled_files() -> Iterator[Path]:
    """Every extension that lies beside a hot module, for whatever Python."""
    for name in hot_modules():
        source = source_of(name)
        yield from source.parent.glob(f"{source.stem}.*.so")
        yield from source.parent.glob(f"{source.stem}__mypyc.*.so")


def remove_stale() -> bool:
    """Remove compiled modules unless they are what the sources say; whether they may stay."""
    if STAMP.exists() and STAMP.read_text() == _fingerprint():
        return True
    for path in compiled_files():
        path.unlink()
    return False


def compile_hot_modules() -> int:
    """Compile what has changed; the exit code."""
    if remove_stale() and any(compiled_files()):
        print("The hot modules are compiled and fresh.")
        return 0
    status = _build("--inplace")
    if status:
        return status
    if not any(compiled_files()):
        print("No C compiler or no Python headers here: the hot modules run as plain Python.")
        return 0
    STAMP.write_text(_fingerprint())
    print(f"Compiled: {', '.join(hot_modules())}.")
    return 0


def build_library() -> Path | None:
    """A folder with the compiled modules of these very sources, away from them, for tests.

    It is made once per state of the sources. None where there is nothing to compile with.
    """
    BUILT.mkdir(parents=True, exist_ok=True)
    library = BUILT / _fingerprint()[:16]
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not library.exists():
            for outdated in BUILT.glob("?" * 16):
                shutil.rmtree(outdated)
            making = BUILT / "making"
            _build("--build-lib", str(making), "--build-temp", str(BUILT / "objects"))
            making.mkdir(exist_ok=True)
            making.rename(library)
    return library if any(library.rglob("*.so")) else None


def _build(*where: str) -> int:
    command = [sys.executable, "setup.py", "--quiet", "build_ext", *where]
    environment = os.environ | {"MOLDAU_COMPILE": "require"}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def _fingerprint() -> str:
    """A compiled module holds constants of the others, so they are fresh or stale together."""
    digest = hashlib.sha256(sys.version.encode())
    for path in [ROOT / "setup.py", *map(source_of, hot_modules())]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(compile_hot_modules())
