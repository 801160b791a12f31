"""A network that is slow or gone for a while, and two tabs at once, in a browser."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.console.relay import Relay
from tests.programs.console.test_chromium import CLICK

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(chromium_path() is None, reason="there is no Chromium on this machine"),
]
SLOW_MS = 2_500
"""More than a page waits before it says for what."""
ENDLESS = """select count(*) from "{topic}", range(1000000000000) o(i) where hash(i) = 1"""
MAIN = "document.querySelector('main').innerText"
PRESSED = "[...document.querySelectorAll('dialog button')].filter((one) => one.innerText === '%s')"


@pytest.fixture
def browser():
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as chromium:
        chromium.size(1280, 800)
        yield chromium


def test_on_a_slow_network_a_page_says_that_it_waits(browser, console, topic):
    browser.open(f"http://{console.place}/ui/topics")
    browser.slow(2 * SLOW_MS)
    browser.run("[...document.querySelectorAll('#nav a')].at(3).click()")
    browser.until(f"{MAIN}.includes('has not answered yet')")
    browser.until("document.querySelector('h1')?.innerText === 'Groups'")


def filled(browser, place, topic, value):
    """The dialogue that sends a record, up to the button that shows the change."""
    browser.open(f"http://{place}/ui/topics/{topic}")
    browser.run(CLICK % "Send a record")
    browser.until("document.querySelector('dialog textarea') !== null")
    browser.run(f"document.querySelector('dialog textarea').value = '{value}'")


def pressed(browser, button, times):
    for _ in range(times):
        browser.run(f"{PRESSED % button}.at(-1)?.click()")


def test_who_presses_a_button_again_while_it_waits_changes_once(browser, console, topic):
    filled(browser, console.place, topic, "7")
    browser.slow(SLOW_MS)
    pressed(browser, "Show the change", 3)
    browser.until("document.querySelector('dialog').innerText.includes('is asked what')")
    browser.until("document.querySelector('dialog .command') !== null")
    assert browser.run("document.querySelectorAll('dialog').length") == 1
    pressed(browser, "Do it", 3)
    browser.until("document.querySelector('dialog').innerText.includes('is being made')")
    browser.until("document.querySelector('dialog .note.good') !== null")
    assert console.get(f"/topics/{topic}")["partitions"][0]["end"] == 1


def test_a_change_whose_answer_was_lost_is_not_made_again(browser, console, topic):
    with Relay(console.place) as relay:
        filled(browser, relay.place, topic, "7")
        pressed(browser, "Show the change", 1)
        browser.until("document.querySelector('dialog .command') !== null")
        relay.drops_answers = True
        pressed(browser, "Do it", 1)
        while console.get(f"/topics/{topic}")["partitions"][0]["end"] == 0:
            pass
        relay.lose()
        browser.until("document.querySelector('dialog').innerText.includes('may have been made')")
        relay.come_back()
        pressed(browser, "Do it", 1)
        browser.until("document.querySelector('dialog .note.good') !== null")
    assert console.get(f"/topics/{topic}")["partitions"][0]["end"] == 1


def test_a_live_tail_goes_on_where_it_was_after_the_network_was_gone(browser, console, topic):
    with Relay(console.place) as relay:
        browser.open(f"http://{relay.place}/ui/topics/{topic}/messages")
        browser.run(CLICK % "Follow live")
        browser.until(f"{MAIN}.includes('Connected')")
        console.send(topic, "before")
        browser.until("document.querySelectorAll('.record').length === 1")
        relay.lose()
        browser.until(f"{MAIN}.includes('connection was lost')")
        console.send(topic, "meanwhile")
        relay.come_back()
        console.send(topic, "after")
        browser.until("document.querySelectorAll('.record').length === 3")
    values = browser.run(
        "[...document.querySelectorAll('.record .brief')].map((one) => one.innerText)"
    )
    assert values == ["after", "meanwhile", "before"]


def test_of_two_tabs_that_search_one_is_stopped_and_the_other_goes_on(browser, console, topic):
    console.send(topic, "a")
    page = f"http://{console.place}/ui/search?query="
    endless = browser.run(f"encodeURIComponent({ENDLESS.format(topic=topic)!r})")
    first = browser.tab()
    browser.open(page + endless)
    browser.until(f"{MAIN}.includes('of 1 offsets')")
    second = browser.tab()
    browser.open(page + endless)
    browser.until(f"{MAIN}.includes('of 1 offsets')")
    browser.tab()
    quick = page + browser.run(f"""encodeURIComponent('select value from "{topic}"')""")
    browser.open(quick)
    browser.until(f"{MAIN}.includes('2 searches run already')")
    browser.go_to(first)
    browser.run(CLICK % "Stop")
    browser.until(f"{MAIN}.includes('Stopped.')")
    browser.open(quick)
    browser.until(f"{MAIN}.includes('1 rows; 1 offsets were read')")
    browser.go_to(second)
    assert "Stop" in browser.run(MAIN)
    assert "of 1 offsets" in browser.run(MAIN)
