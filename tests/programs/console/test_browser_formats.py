"""The boxes for formats of users, as a person uses them: Messages, live tail, search and sending.

The format is that of the guide, which is for values alone. The topic is none of its own: without a
choice a value is shown as the bytes that it is.
"""

from __future__ import annotations

import tempfile
import zlib
from pathlib import Path

import pytest

from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.console.running_console import RunningConsole
from tests.programs.console.test_browser_changes import Person
from tests.programs.console.test_formats import hexed, written

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(300),
    pytest.mark.skipif(chromium_path() is None, reason="there is no Chromium on this machine"),
]
TEXT = '{"a": 41}'
VALUES = 'select[aria-label="What decodes values"]'
CHOOSE = """
{
  const box = document.querySelector('%s');
  box.value = '%s';
  box.dispatchEvent(new Event('change', {bubbles: true}));
}
"""
NAMES = "[...document.querySelector('%s').options].map((one) => one.value)"
SEALED = "sealed"


@pytest.fixture(scope="module")
def browser():
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as chromium:
        chromium.size(1280, 900)
        yield chromium


@pytest.fixture(scope="module")
def reading(console, tmp_path_factory):
    """A console with formats, beside that of the node."""
    folder = written(tmp_path_factory.mktemp("formats"))
    declared = ("--format-config", str(folder / "formats.properties"))
    place = ("--bootstrap-server", console.bootstrap, "--listen", "127.0.0.1:0")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        found = RunningConsole(folder, "console", *place, *declared)
    yield found
    found.stop()


def send(reading, topic, text=TEXT):
    """The bytes that the format makes of it, not by the format."""
    reading.run("produce", topic=topic, **hexed(zlib.compress(text.encode())))


def chosen(browser, name):
    """In the box for values; that for keys has what the format is not for."""
    keys = browser.run(NAMES % VALUES.replace("values", "keys"))
    assert (SEALED in keys, "hostile" in keys) == (False, True)
    assert SEALED in browser.run(NAMES % VALUES)
    browser.run(CHOOSE % (VALUES, name))


def test_a_page_of_messages_is_decoded_by_what_is_chosen_and_keeps_the_choice(
    browser, reading, topic
):
    send(reading, topic)
    person = Person(browser, reading, f"/topics/{topic}/messages")
    person.sees_no(TEXT)
    chosen(browser, SEALED)
    person.press("Show")
    person.sees(TEXT)
    assert browser.run(f"document.querySelector('{VALUES}').value") == SEALED
    chosen(browser, "hex")
    person.press("Show")
    person.sees(zlib.compress(TEXT.encode()).hex(" "))
    assert browser.problems == []


def test_a_live_tail_is_decoded_by_what_is_chosen(browser, reading, topic):
    person = Person(browser, reading, f"/topics/{topic}/messages")
    chosen(browser, SEALED)
    person.press("Follow live")
    person.sees("Connected: new records appear on top")
    send(reading, topic)
    person.sees(TEXT)
    assert browser.problems == []


def test_a_search_is_decoded_by_what_is_chosen(browser, reading, topic):
    send(reading, topic)
    send(reading, topic, '{"a": 1}')
    person = Person(browser, reading, "/search")
    query = f"""select value from "{topic}" where (json->>\\'$.a\\')::int > 40"""
    chosen(browser, SEALED)
    person.types("textarea", query)
    person.press("Search")
    person.sees(TEXT)
    person.sees_no('{"a": 1}')
    assert browser.problems == []


def test_a_record_is_sent_by_the_format_and_sent_again_by_it(browser, reading, topic):
    person = Person(browser, reading, f"/topics/{topic}")
    person.press("Send a record")
    person.fill(**{"The value is": SEALED, "Value": TEXT})
    person.confirm()
    (sent,) = reading.get(f"/topics/{topic}/records?value_format=hex")["records"]
    assert bytes.fromhex(sent["value"]["text"]) == zlib.compress(TEXT.encode())
    person = Person(browser, reading, f"/topics/{topic}/messages?value_format={SEALED}")
    browser.run("document.querySelector('details.record').open = true")
    browser.until("document.querySelector('[aria-label=\"Send again: 0 : 0\"]') !== null")
    person.presses_named("Send again: 0 : 0")
    browser.until("document.querySelector('dialog[open] textarea') !== null")
    person.confirm()
    both = reading.get(f"/topics/{topic}/records?value_format=hex")["records"]
    assert [one["value"]["text"] for one in both] == [sent["value"]["text"]] * 2
    assert browser.problems == []
