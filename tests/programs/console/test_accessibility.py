"""axe-core finds nothing on any page, in both colour schemes, wide and narrow.

It comes from npm while the test runs, and is kept nowhere; without npm there is no test.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import pytest

from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.console.cluster.test_subjects import FIRST, SECOND
from tests.programs.console.test_chromium import PAGES

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.skipif(chromium_path() is None, reason="there is no Chromium on this machine"),
]
VERSION = "4.14.1"
FOUND = (
    "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.map("
    "(one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200))]))"
)
DIALOGUE = (
    "[...document.querySelectorAll('button')].find((one) => one.textContent === '%s').click()"
)


@pytest.fixture(scope="module")
def axe(tmp_path_factory):
    """The script."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("axe")
    done = subprocess.run(
        [npm, "pack", f"axe-core@{VERSION}"], cwd=folder, capture_output=True, timeout=120
    )
    if done.returncode:
        pytest.skip("axe-core cannot be had from npm")
    with tarfile.open(next(folder.glob("*.tgz"))) as packed:
        script = packed.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


@pytest.fixture(scope="module")
def browser():
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as chromium:
        yield chromium


@pytest.mark.parametrize(
    ("width", "dark"), [(1280, False), (1280, True), (360, False), (360, True)]
)
def test_axe_finds_nothing_on_any_page(browser, console, topic, axe, width, dark):
    console.send(topic, '{"id": 1}', key="k")
    console.run("set-user", user="ann", password="secret")
    for schema in (FIRST, SECOND):
        console.run("register-schema", subject=f"{topic}-value", schema=schema)
    browser.size(width, 900, dark=dark)
    found = {}
    for page in (*PAGES, "/acls", "/search", "/nowhere"):
        browser.open(f"http://{console.place}/ui{page.format(topic=topic)}")
        browser.run(axe)
        if violations := browser.run(FOUND):
            found[page] = violations
    browser.open(f"http://{console.place}/ui/topics/{topic}/messages")
    browser.run("document.querySelector('details.record').open = true")
    browser.until("document.querySelector('.record .data') !== null")
    browser.run(axe)
    assert browser.run(FOUND) == []
    assert found == {}


@pytest.mark.parametrize(
    ("page", "button"),
    [
        ("/topics", "Create a topic"),
        ("/schemas", "Register a schema"),
        ("/quotas", "Set a quota"),
        ("/users", "Set a password"),
    ],
)
def test_axe_finds_nothing_in_a_dialogue(browser, console, axe, page, button):
    browser.size(1280, 900)
    browser.open(f"http://{console.place}/ui{page}")
    browser.run(DIALOGUE % button)
    browser.until("document.querySelector('dialog[open]') !== null")
    browser.run(axe)
    assert browser.run(FOUND) == []
