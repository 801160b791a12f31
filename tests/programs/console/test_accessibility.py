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
from confluent_kafka import Consumer, TopicPartition

from tests.interop.running_node import SETTINGS
from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.console.cluster.test_subjects import FIRST, SECOND
from tests.programs.console.running_console import RunningConsole
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

IN_DIALOGUE = FOUND.replace("axe.run(document,", "axe.run('dialog[open]',")
CLOSE = "for (const one of document.querySelectorAll('dialog')) one.close()"
MENU = ("widen", "copy", "move", "elect", "empty", "purge", "delete")
CHOOSE = (
    "{ const menu = document.querySelector('[aria-label=\"%s\"]'); menu.value = '%s';"
    " menu.dispatchEvent(new Event('change')); }"
)

AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"


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


@pytest.fixture(scope="module")
def ruled(tmp_path_factory):
    """A console whose node has access rules."""
    folder = tmp_path_factory.mktemp("ruled")
    given = {**SETTINGS, "authorizer.class.name": AUTHORIZER, "super.users": "User:ANONYMOUS"}
    sets = [word for key, value in given.items() for word in ("--set", f"{key}={value}")]
    ports = ("--port", "0", "--ui", "0", "--registry", "0")
    running = RunningConsole(folder, "start", *ports, "--data", f"{folder}/data", *sets)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def furnished(ruled):
    """What the dialogues are about, and whose names pages have."""
    console = ruled
    topic, group = console.make("dialogues"), "dialogues-group"
    console.send(topic, '{"id": 1}', key="k")
    reader = Consumer({"bootstrap.servers": console.bootstrap, "group.id": group})
    reader.commit(offsets=[TopicPartition(topic, 0, 0)], asynchronous=False)
    reader.close()
    for schema in (FIRST, SECOND):
        console.run("register-schema", subject=f"{topic}-value", schema=schema)
    console.run("set-user", user="ann", password="secret")
    console.run("set-quota", entity={"user": "ann"}, values={"producer_byte_rate": 1024})
    rule = {"permission": "allow", "operation": "read", "kind": "topic", "name": topic}
    console.run("add-acl", principal="User:ann", **rule)
    role = {"role": "DeveloperRead", "kind": "topic", "name": topic}
    console.run("grant-role", principal="User:ann", **role)
    for schema in (FIRST, SECOND):
        console.run("register-schema", subject="shortened", schema=schema)
    console.run("delete-schema", subject="shortened", version=1)
    return {"topic": topic, "group": group, "subject": f"{topic}-value"}


DIALOGUES = {
    "": ("Let first replicas lead",),
    "/brokers/1": ("Change", "Change level"),
    "/topics": ("Create a topic",),
    "/topics/{topic}": ("Send a record", *MENU),
    "/topics/{topic}/settings": ("Change",),
    "/groups/{group}": ("Move offsets", "Forget a topic", "Delete"),
    "/search?query=select%201%20from%20dialogues": ("Save",),
    "/schemas": ("Register a schema", "Compatibility: BACKWARD"),
    "/schemas/{subject}": (
        "Check a schema",
        "Register a version",
        "Compatibility: BACKWARD, as all",
        "Delete",
        "Delete this version",
    ),
    "/schemas/shortened": ("Delete 1 for good",),
    "/acls": ("Add a rule", "Remove"),
    "/roles": ("Grant a role", "Take back"),
    "/quotas": ("Set a quota", "Remove"),
    "/users": ("Set a password", "Delete"),
}


@pytest.mark.parametrize(
    ("width", "dark"), [(1280, False), (1280, True), (360, False), (360, True)]
)
def test_axe_finds_nothing_in_any_dialogue(browser, ruled, furnished, axe, width, dark):
    browser.size(width, 900, dark=dark)
    found = {}
    for page, buttons in DIALOGUES.items():
        browser.open(f"http://{ruled.place}/ui{page.format(**furnished)}")
        browser.run(axe)
        for button in buttons:
            _open(browser, button, furnished["topic"])
            if violations := browser.run(IN_DIALOGUE):
                found[page, button] = violations
            browser.run(CLOSE)
    assert found == {}


@pytest.mark.parametrize(
    ("width", "dark"), [(1280, False), (1280, True), (360, False), (360, True)]
)
def test_axe_finds_nothing_where_a_record_is_sent_again_and_kept(
    browser, console, topic, axe, width, dark
):
    sent = {"key": "7", "key_format": "int64", "value": '{"id": 1}'}
    console.run("produce", topic=topic, headers=[{"name": "source", "value": "shop"}], **sent)
    browser.size(width, 900, dark=dark)
    browser.open(f"http://{console.place}/ui/topics/{topic}/messages?key_format=int64")
    browser.run("document.querySelector('details.record').open = true")
    browser.until("document.querySelector('.record .acts') !== null")
    browser.run(axe)
    found = {"record": browser.run(FOUND)}
    for button, seen in (
        ("Send again", "textarea"),
        ("Keep as a template", "input[maxlength]"),
        ("Keep it", "[aria-label=Template]"),
        ("Show the change", ".command"),
        ("Do it", ".note.good"),
    ):
        browser.run(
            "{ const name = document.querySelector('dialog input[maxlength]');"
            " if (name) name.value = 'often'; }"
        )
        browser.run(DIALOGUE % button)
        browser.until(f"document.querySelector('dialog[open] {seen}') !== null")
        found[button] = browser.run(IN_DIALOGUE)
    browser.run(CLOSE)
    assert {step: one for step, one in found.items() if one} == {}


def test_axe_finds_nothing_in_a_change_that_is_shown_refused_and_done(browser, console, axe):
    browser.size(360, 900)
    browser.open(f"http://{console.place}/ui/topics")
    browser.run(axe)
    _open(browser, "Create a topic", "")
    browser.run("document.querySelector('dialog input').value = 'not a name'")
    found = {}
    for button, seen in (
        ("Show the change", ".note.bad"),
        ("Show the change", ".command"),
        ("Do it", ".note.good"),
    ):
        browser.run(DIALOGUE % button)
        browser.until(f"document.querySelector('dialog[open] {seen}') !== null")
        found[button, seen] = browser.run(IN_DIALOGUE)
        browser.run(
            "{ const name = document.querySelector('dialog input');"
            " if (name) name.value = 'accessible'; }"
        )
    assert set(map(str, found.values())) == {"[]"}


def _open(browser, button, topic):
    """By its text, or from the menu of a topic; it is open when it has a field or a sentence."""
    if button in MENU:
        browser.run(CHOOSE % (f"Change {topic}", button))
    else:
        browser.run(DIALOGUE % button)
    browser.until(
        "document.querySelector('dialog[open] :is(input, select, textarea, .command, .good, .bad)')"
        " !== null"
    )
