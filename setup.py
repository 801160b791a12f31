"""Compiles the hot modules with mypyc where that is possible; all else is in pyproject.toml.

Their names stand there under `[tool.moldau]`. Each becomes an extension that lies beside its source
and is imported instead of it. Without a C compiler, Python's headers or mypyc, or when compiling
fails, the same modules run as they are, and nobody need know. MOLDAU_COMPILE says what is wanted:

    auto      (the default) compile what can be compiled
    never     leave everything plain
    require   fail where it cannot be done; `./dev build` uses it, to hear of mistakes

mypy is asked for only where there is a compiler, so a machine without one never downloads it. An
editable install compiles nothing: there `./dev build` does, which knows when a source has changed.
"""

import os
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError

ROOT = Path(__file__).resolve().parent
WANTED = os.environ.get("MOLDAU_COMPILE", "auto")
COMPILING_COMMANDS = {"bdist_wheel", "build_ext"}
MYPY = "mypy>=2.4"


def has_compiler() -> bool:
    """Whether C can be compiled here, as far as one can tell without trying."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or ""
    headers = Path(sysconfig.get_path("include"), "Python.h")
    return shutil.which(command.partition(" ")[0]) is not None and headers.exists()


def build_requirements() -> list[str]:
    """What a build needs beside setuptools; pip asks with the word `egg_info`."""
    return [MYPY] if "egg_info" in sys.argv and WANTED != "never" and has_compiler() else []


def extensions() -> list[Extension]:
    """The hot modules as extensions; none where this command or this machine makes none."""
    if WANTED == "never" or not COMPILING_COMMANDS & set(sys.argv) or not has_compiler():
        return []
    try:
        return translate()
    except (ImportError, SystemExit):  # mypyc is not there; or says so when it finds mistakes
        if WANTED == "require":
            raise
        return []


def translate() -> list[Extension]:
    """Python to C: one shared library per module, so that each lies in its own package."""
    from mypyc.build import mypycify

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    sources = [f"src/{name.replace('.', '/')}.py" for name in settings["tool"]["moldau"]["hot"]]
    return [built for source in sources for built in mypycify([source], target_dir="build/hot")]


class OptionalBuild(build_ext):
    """A module that cannot be compiled stays plain."""

    def build_extension(self, ext: Extension) -> None:
        try:
            super().build_extension(ext)
        except BaseError as error:
            if WANTED == "require":
                raise
            self.warn(f"{ext.name} stays plain Python: {error}")


setup(
    setup_requires=build_requirements(),
    ext_modules=extensions(),
    cmdclass={"build_ext": OptionalBuild},
)
