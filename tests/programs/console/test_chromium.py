"""The pages in a browser: nothing is missing, nothing overflows, nothing a user supplied is run."""

import tempfile
from pathlib import Path

import pytest

from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.console.running_console import RunningConsole
from tests.programs.console.test_subjects import FIRST, SECOND

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(chromium_path() is None, reason="there is no Chromium on this machine"),
]
SCRIPT = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"
NO_AUTHORIZER = "/api/role-bindings"
"""Refused by a node without access rules, which the page says in a sentence."""
SCRIPT_NAME = "<b>all that is new</b>"
PAGES = (
    *("", "/map", "/topics", "/groups", "/quotas", "/users", "/roles"),
    *("/transactions", "/reassignments", "/pipelines"),
    *("/changes", "/brokers/1", "/topics/{topic}", "/topics/{topic}/messages"),
    *("/schemas", "/schemas/{topic}-value"),
    *("/topics/{topic}/settings", "/topics/{topic}/groups", "/topics/{topic}/producers"),
)


@pytest.fixture(scope="module")
def browser():
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as chromium:
        yield chromium


@pytest.mark.parametrize("width", [360, 1280])
def test_each_page_is_shown_within_its_width_and_without_complaints(browser, console, topic, width):
    console.send(topic, SCRIPT, '{"id": 12345678901234567890}', key="k" * 300)
    for schema in (FIRST, SECOND):
        console.run("register-schema", subject=f"{topic}-value", schema=schema)
    browser.size(width, 800, dark=width == 360)
    browser.problems.clear()
    for page in PAGES:
        browser.open(f"http://{console.place}/ui{page.format(topic=topic)}")
        assert browser.run("document.querySelectorAll('main h1').length") == 1, page
        assert browser.run("document.documentElement.scrollWidth") <= width, page
        assert "Try again" not in browser.text(), (page, browser.text())
        assert browser.run("document.title") != "run", page
    assert [one for one in browser.problems if NO_AUTHORIZER not in one] == []


def test_data_is_text_whatever_it_looks_like(browser, console, topic):
    console.send(topic, SCRIPT, '{"id": 12345678901234567890}')
    browser.open(f"http://{console.place}/ui/topics/{topic}/messages")
    assert SCRIPT in browser.text()
    assert "12345678901234567890" in browser.text()
    assert browser.run("document.querySelectorAll('main img, main script').length") == 0


def test_a_topic_is_created_by_hand_and_its_command_is_shown_before(browser, console, topic):
    name = f"{topic}.by-hand"
    browser.open(f"http://{console.place}/ui/topics")
    browser.run(CLICK % "Create a topic")
    browser.run(f"document.querySelector('dialog input').value = '{name}'")
    browser.run(CLICK % "Show the change")
    browser.until("document.querySelector('dialog .command') !== null")
    assert f"moldau topics --bootstrap-server {console.bootstrap} --create" in browser.text()
    browser.run(CLICK % "Do it")
    browser.until("document.querySelector('dialog .note.good') !== null")
    browser.run(CLICK % "Close")
    browser.until(f"location.pathname.endsWith('/{name}')")
    assert console.get(f"/topics/{name}")["name"] == name


def test_a_version_is_registered_by_hand_and_compared_with_the_one_before(browser, console, topic):
    subject = f"{topic}-value"
    console.run("register-schema", subject=subject, schema=FIRST)
    browser.open(f"http://{console.place}/ui/schemas/{subject}")
    browser.run(CLICK % "Register a version")
    browser.until("document.querySelector('dialog textarea') !== null")
    browser.run(f"document.querySelector('dialog textarea').value = {SECOND!r}")
    browser.run(CLICK % "Show the change")
    browser.until("document.querySelector('dialog .command') !== null")
    browser.run(CLICK % "Do it")
    browser.until("document.querySelector('dialog .note.good') !== null")
    browser.run(CLICK % "Close")
    browser.until("document.querySelector('pre.source .plus') !== null")
    added = browser.run("document.querySelector('pre.source').innerText")
    assert '+       "name": "b",' in added
    assert browser.run("document.querySelectorAll('pre.source .minus').length") == 0


def test_a_live_tail_shows_what_is_sent_meanwhile(browser, console, topic):
    browser.open(f"http://{console.place}/ui/topics/{topic}/messages")
    browser.run(CLICK % "Follow live")
    browser.until("document.querySelector('main').innerText.includes('Connected')")
    console.send(topic, "while it looks")
    browser.until("document.querySelector('.record') !== null")
    assert "while it looks" in browser.text()


def test_a_search_is_saved_found_again_and_forgotten_by_hand(browser, console, topic):
    query = f'select value from "{topic}" limit 1'
    browser.open(f"http://{console.place}/ui/search")
    browser.run(f"document.querySelector('main textarea').value = {query!r}")
    browser.run(CLICK % "Save")
    browser.until("document.querySelector('dialog[open] input') !== null")
    browser.run(f"document.querySelector('dialog input').value = '{SCRIPT_NAME}'")
    browser.run(CLICK % "Save it")
    browser.until("document.querySelector('main td a') !== null")
    browser.open(f"http://{console.place}/ui/search")
    assert SCRIPT_NAME in browser.text()
    assert query in browser.text()
    browser.run("document.querySelector('main td a').click()")
    browser.until("document.querySelector('main textarea').value.startsWith('select value')")
    browser.run(CLICK % "Forget")
    browser.until("document.querySelector('main td a') === null")
    browser.open(f"http://{console.place}/ui/search")
    assert SCRIPT_NAME not in browser.text()


def test_a_cluster_that_does_not_answer_is_a_sentence_while_it_is_asked(browser, tmp_path):
    alone = ("console", "--bootstrap-server", "127.0.0.1:1", "--listen", "127.0.0.1:0")
    console = RunningConsole(tmp_path, *alone)
    browser.run(f"location.href = 'http://{console.place}/ui/topics'")
    browser.until("document.body?.innerText.includes('It is still being asked')")
    console.stop()


CLICK = (
    "[...document.querySelectorAll('button')].filter("
    "(one) => one.textContent === '%s').at(-1).click()"
)
