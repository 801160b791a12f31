"""The project's own files, as the tidy tests read them."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE_FOLDERS = ("src", "tests", "bench", "devtools", "examples")


@dataclass(frozen=True)
class Source:
    """One Python file; a bad sample is one that was never on disk."""

    path: str
    """From the project's root, with `/`."""
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @property
    def room(self) -> str:
        """The folder under src/moldau, or nothing."""
        parts = self.path.split("/")
        return parts[2] if parts[:2] == ["src", "moldau"] and len(parts) > 3 else ""


@cache
def project_files() -> list[Path]:
    """Every file that is, or is about to be, in the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return [path for path in paths if path.is_file()]


@cache
def python_sources(*folders: str) -> list[Source]:
    """The Python files under these folders, or under all that hold code."""
    wanted = folders or CODE_FOLDERS
    return [
        Source(name, path.read_text())
        for path in project_files()
        if path.suffix == ".py"
        and (name := path.relative_to(ROOT).as_posix()).startswith(tuple(f"{f}/" for f in wanted))
    ]


def assert_none(complaints: Iterable[str]) -> None:
    """Fail with all of them, one a line."""
    __tracebackhide__ = True
    listed = sorted(complaints)
    assert not listed, "\n" + "\n".join(listed)
