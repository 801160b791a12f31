"""The project's own files, as the tidy tests read them."""

from __future__ import annotations

import ast
import gc
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GROUPS = ("broker", "platform", "programs", "protocol")
"""Folders of src/moldau that hold packages, and hardly a module of their own."""
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

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All of the tree: walked once for all tests, and never looked through for garbage."""
        found = list(ast.walk(self.tree))
        gc.freeze()
        return found

    @property
    def package(self) -> str:
        """The package under src/moldau, or under one of its groups; or nothing."""
        parts = self.path.split("/")
        if parts[:2] != ["src", "moldau"]:
            return ""
        packages = parts[2:-1]
        return (
            packages[1]
            if packages[:1] and packages[0] in GROUPS and packages[1:]
            else (packages[0] if packages else "")
        )


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


def python_sources(*folders: str) -> list[Source]:
    """The Python files under these folders, or under all that hold code."""
    beginnings = tuple(f"{folder}/" for folder in folders or CODE_FOLDERS)
    return [source for source in _all_sources() if source.path.startswith(beginnings)]


@cache
def _all_sources() -> list[Source]:
    return [
        Source(name, path.read_text())
        for path in project_files()
        if path.suffix == ".py"
        for name in [path.relative_to(ROOT).as_posix()]
    ]


def assert_none(complaints: Iterable[str]) -> None:
    """Fail with all of them, one a line."""
    __tracebackhide__ = True
    listed = sorted(complaints)
    assert not listed, "\n" + "\n".join(listed)
