"""What the front page says of installing is true, and a wheel has everything."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from devtools.hot_modules import hot_modules
from tests.docs.pages import all_pages
from tests.docs.wheels import WITHOUT_COMPILER, wheel_made_in
from tests.tidy.source import ROOT, project_files

EXTRA = re.compile(r"(?:'\.|moldau)\[(\w+)\]")


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_installing_comes_first_on_the_front_page():
    headings = re.findall(r"^## (.+)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert headings[0] == "Install"


def test_every_extra_that_a_page_names_exists():
    named = {extra for page in all_pages() for extra in EXTRA.findall(page.text)}
    assert {"arrow", "spark"} <= named
    assert named <= set(project()["optional-dependencies"])


def test_the_front_page_names_no_place_that_does_not_exist():
    """There is no package index and no host that has it: it comes from a checkout."""
    text = (ROOT / "README.md").read_text()
    assert re.findall(r"pip install (?!'\.)\S+", text) == []
    assert re.findall(r"git\+\w+://", text) == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> ZipFile:
    """Made without a compiler."""
    return ZipFile(wheel_made_in(tmp_path_factory.mktemp("checkout"), WITHOUT_COMPILER))


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_wheel_made_with_a_compiler_has_every_hot_module_compiled(tmp_path):
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    made = wheel_made_in(tmp_path, {"PATH": path, "MOLDAU_COMPILE": "require"})
    names = ZipFile(made).namelist()
    compiled = {name.partition(".")[0] for name in names if name.endswith(".so")}
    assert {name.replace(".", "/") for name in hot_modules()} - compiled == set()
    assert "-py3-none-any" not in made.name


def test_a_wheel_has_every_file_of_the_package(wheel):
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in project_files()
        if path.is_relative_to(ROOT / "src") and path.suffix in (".py", ".typed")
    }
    assert sources - set(wheel.namelist()) == set()


def test_a_wheel_made_without_a_compiler_runs(wheel, tmp_path):
    wheel.extractall(tmp_path)
    code = "import moldau.testing; print(moldau.testing.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()).is_relative_to(tmp_path)


def test_a_node_needs_six_packages(wheel):
    """Extras bring the others; ./dev run and a plain installation bring these."""
    metadata = next(name for name in wheel.namelist() if name.endswith("/METADATA"))
    required = re.findall(r"^Requires-Dist: ([\w-]+)(.*)$", wheel.read(metadata).decode(), re.M)
    needed = [name for name, rest in required if "extra ==" not in rest]
    assert sorted(needed) == [
        "backports-zstd",
        "cramjam",
        "cryptography",
        "fastcrc",
        "librt",
        "lz4",
    ]
