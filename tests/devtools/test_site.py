"""The static site has every page, and no link of it leads nowhere or to another host's files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from devtools.site import place_of, rewritten, source_page, targets_of
from tests.tidy.source import ROOT

FETCHED = re.compile(
    r"<(?:script|img|iframe)[^>]*\bsrc=\"(?:https?:)?//|<link[^>]*\bhref=\"https?:"
)
BUILD_SECONDS_MAX = 110


def build(root: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(site)]
    return subprocess.run(
        command,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS_MAX,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    place = tmp_path_factory.mktemp("site")
    done = build(ROOT, place)
    assert done.returncode == 0, done.stderr
    return place


def test_every_document_is_a_page(site):
    pages = {path.relative_to(ROOT / "docs").with_suffix("") for path in ROOT.glob("docs/**/*.md")}
    built = {path.relative_to(site).with_suffix("") for path in site.glob("**/*.html")}
    assert pages - built == {Path("README")}
    assert Path("index") in built
    assert Path("project/ARCHITECTURE") in built


def test_a_link_to_a_source_file_leads_to_a_page_that_shows_it(site):
    page = (site / "pipelines.html").read_text()
    assert 'href="source/src/moldau/programs/pipelines/etl.py.html"' in page
    assert "EtlSettings" in (site / "source/src/moldau/programs/pipelines/etl.py.html").read_text()


def test_no_page_fetches_anything_from_elsewhere(site):
    pages = [*site.glob("**/*.html")]
    assert [str(page) for page in pages if FETCHED.search(page.read_text())] == []
    assert FETCHED.search('<link rel="stylesheet" href="https://example.org/font.css">')


def test_a_link_that_leads_nowhere_fails_the_build(tmp_path):
    settings = (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[0]
    settings = settings.replace("devtools/site.py", str(ROOT / "devtools/site.py"))
    (tmp_path / "mkdocs.yml").write_text(f"{settings}\nnav: [README.md]\n")
    (tmp_path / "README.md").write_text("# Front\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/README.md").write_text("# Documents\n\n[a](gone.md) [b](../src/gone.py)\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert "'gone.md'" in done.stderr
    assert "'../src/gone.py'" in done.stderr


def test_links_are_rewritten_outside_of_code_alone():
    text = "[a](../STYLE.md#shape) [b](node.md) [c](https://x.org)\n\n```text\n[d](../dev)\n```\n"
    moved = text.replace("../STYLE.md", "project/STYLE.md")
    assert rewritten(text, "docs/client.md", ROOT) == moved
    assert list(targets_of(text, "docs/client.md")) == ["STYLE.md", "docs/node.md"]


def test_every_file_has_one_place():
    assert place_of("docs/generated/settings.md") == "generated/settings.md"
    assert place_of("STYLE.md") == "project/STYLE.md"
    assert place_of("dev") == "source/dev.md"


def test_fences_in_a_source_file_do_not_end_its_page():
    assert "````python\nx = '```'\n````\n" in source_page("x.py", "x = '```'\n")
