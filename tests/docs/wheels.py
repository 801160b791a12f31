"""Makes wheels of the project, as `pip install` does."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.tidy.source import ROOT, project_files

BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
NEEDED_TO_BUILD = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
WITHOUT_COMPILER: Mapping[str, str] = {"PATH": "/nowhere", "MOLDAU_COMPILE": "auto"}


def wheel_made_in(copy: Path, environment: Mapping[str, str]) -> Path:
    """From a copy of the checkout, without its compiled modules."""
    for path in project_files():
        name = path.relative_to(ROOT)
        if name.parts[0] == "src" or str(name) in NEEDED_TO_BUILD:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy / name)
    subprocess.run(
        [sys.executable, "-c", BUILD, str(copy)],
        cwd=copy,
        env=environment,
        capture_output=True,
        check=True,
    )
    return next(copy.glob("*.whl"))
