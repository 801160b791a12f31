"""Compiles the hot modules with mypyc where that is possible; all else is in pyproject.toml.

Their names stand there under `[tool.moldau.hot]`. They become one shared library, so that they call
each other as C does, and beside each source a small extension that is imported instead of it.
Without a C compiler, Python's headers or mypyc, or when compiling fails, the same modules run as
they are. MOLDAU_COMPILE says what is wanted:

    auto      (the default) compile what can be compiled
    never     leave everything plain
    require   fail where it cannot be done; `./dev build` uses it, so that a mistake shows

mypy is asked for only where there is a compiler, so a machine without one never downloads it. An
editable install compiles nothing: there `./dev build` does, which knows when a source has changed.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError

ROOT = Path(__file__).resolve().parent
WANTED = os.environ.get("MOLDAU_COMPILE", "auto")
COMPILING_COMMANDS = {"bdist_wheel", "build_ext"}
MYPY = "mypy>=2.4"
GROUP = "moldau_hot"
"""What the shared library is called."""
TYPES = ("--config-file=", "--ignore-missing-imports", "--follow-imports=silent")
"""How mypy reads the sources here. `./dev check` is the one that judges them; packages that we
depend on need not be there to compile."""
OPTIMIZATION = "2"
AS_ONE_PROGRAM = ("-fvisibility=hidden", "-flto=auto")
"""The functions of one library, seen by the compiler at once, and hidden outside: a seventh less of
the time in user mode for a small Produce request than with each module by itself."""


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
    """Python to C."""
    from mypyc.build import mypycify

    os.environ["MYPYPATH"] = str(ROOT / "src")
    made: list[Extension] = mypycify(
        [*TYPES, *sources()],
        group_name=GROUP,
        multi_file=True,
        opt_level=OPTIMIZATION,
        debug_level="0",
        target_dir="build/hot",
    )
    together = AS_ONE_PROGRAM if can_link(AS_ONE_PROGRAM) else ()
    for extension in made:
        extension.extra_compile_args += together
        extension.extra_link_args += together
    return made


def can_link(flags: tuple[str, ...]) -> bool:
    """Whether the compiler and its linker take these flags and warn of nothing."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "").split()
    with TemporaryDirectory() as folder:
        source, library = Path(folder, "one.c"), Path(folder, "one.so")
        source.write_text("int one(void) { return 1; }\n")
        command = [*compiler, "-shared", "-fPIC", *flags, str(source), "-o", str(library)]
        tried = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - flags of ours
        return tried.returncode == 0 and not tried.stderr


def sources() -> list[str]:
    """The files of the hot modules."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return [
        f"src/{package.replace('.', '/')}/{name}.py"
        for package, names in settings["tool"]["moldau"]["hot"].items()
        for name in names
    ]


class OptionalBuild(build_ext):
    """Compiles on all cores; what cannot be compiled stays plain."""

    def build_extensions(self) -> None:
        one_by_one = self.compiler.compile

        def side_by_side(files: list[str], *arguments: object, **named: object) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                made = pool.map(lambda file: one_by_one([file], *arguments, **named), files)
                return [path for paths in made for path in paths]

        self.compiler.compile = side_by_side
        try:
            super().build_extensions()
        except BaseError as error:
            if WANTED == "require":
                raise
            self.warn(f"The hot modules stay plain Python: {error}")


setup(
    setup_requires=build_requirements(),
    ext_modules=extensions(),
    cmdclass={"build_ext": OptionalBuild},
)
