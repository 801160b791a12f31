"""Runs an example as its head says, and compares what it prints with what the head says of it.

The head of an example, a docstring or a Java comment, has two indented blocks: the commands that
run it, and, after a line that ends in `prints`, what one sees. There `…` stands for anything within
a line, and a line `…` for any lines.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

from tests.tidy.source import ROOT

EXAMPLES = ROOT / "examples"
COMMENT = re.compile(r"^ \*(?: |$)", re.MULTILINE)
BLOCK = re.compile(r"(?:^    .*\n|^\n)+", re.MULTILINE)
PRINTS = re.compile(r"\bprints\n+(?=    )")
ADDRESS = "localhost:9092"
DONE_BEFORE = re.compile(r"^(?:pip install|moldau start).*\n", re.MULTILINE)
"""What the tests have done already, each in its own way."""
PROGRESS = re.compile(r"^  batch \d+: .* so far\n", re.MULTILINE)
"""What a pipeline says of work that takes seconds: how many lines rests on the machine."""
TIMEOUT_S = 400


def commands(head: str) -> str:
    """The commands of the head, but for those that install things or start a node."""
    before, _, _ = plain(head).partition("prints\n")
    blocks = [textwrap.dedent(found[0]).strip() for found in BLOCK.finditer(before)]
    first = next((block for block in blocks if block), "")
    assert first, "its head does not say how to run it"
    return DONE_BEFORE.sub("", f"{first}\n").strip()


def announced(head: str) -> str:
    """What the head says that it prints."""
    text = plain(head)
    found = PRINTS.search(text)
    assert found, "its head does not say what it prints"
    block = BLOCK.match(text, found.end())
    assert block is not None
    return textwrap.dedent(block[0]).strip()


def plain(head: str) -> str:
    return COMMENT.sub("", head)


def agrees(announcement: str, output: str) -> bool:
    """Whether the output is what was announced; see the head of the file for `…`."""
    pattern = "".join(_line_pattern(line) for line in announcement.strip().splitlines())
    return re.fullmatch(pattern, f"{output.strip()}\n".lstrip()) is not None


def _line_pattern(line: str) -> str:
    if line.strip() == "…":
        return "(?:.*\n)*?"
    return ".*".join(map(re.escape, line.split("…"))) + "\n"


def check(example: Path, bootstrap: str, folder: Path, libraries: Mapping[str, Path]) -> None:
    """Run it in a folder that has the examples and these libraries, under these names."""
    shutil.copytree(EXAMPLES, folder / "examples")
    for name, libs in libraries.items():
        (folder / name).symlink_to(libs)
    head = example.read_text()
    output = PROGRESS.sub("", run(commands(head).replace(ADDRESS, bootstrap), folder))
    expected = announced(head)
    assert agrees(expected, output), f"announced:\n{expected}\n\nprinted:\n{output}"


def run(script: str, folder: Path) -> str:
    """What it prints to its end; `python` and `moldau` are those that run the tests."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONWARNINGS": "ignore", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout
