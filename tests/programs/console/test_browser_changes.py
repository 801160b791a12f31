"""Each page that changes something, as a person uses it, at three nodes under load."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.programs.console.busy_cluster import COUNTED, LONG_NAME, TOPIC
from tests.programs.console.chromium import Chromium, chromium_path

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.skipif(chromium_path() is None, reason="there is no Chromium on this machine"),
]
GROUP = f"{LONG_NAME}.reader"
PRESS = (
    "[...document.querySelectorAll('%s')].filter((one) => one.textContent === '%s').at(-1).click()"
)
FILL = """
{
  const found = [...document.querySelectorAll('dialog label')].find(
    (one) => one.firstChild.textContent === '%s').querySelector('input, select, textarea');
  found.value = '%s';
  for (const name of ['input', 'change']) found.dispatchEvent(new Event(name, {bubbles: true}));
}
"""


@pytest.fixture(scope="module")
def browser():
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as chromium:
        chromium.size(1280, 900)
        yield chromium


class Person:
    """Reads a page, presses what it offers, fills in what it asks for."""

    def __init__(self, browser, console, page):
        self._browser = browser
        self._place = f"http://{console.place}/ui{page}"
        browser.problems.clear()
        browser.open(self._place)

    def press(self, text, within="button"):
        self._browser.run(PRESS % (within, text))

    def presses_named(self, name):
        """A button whose text is the same in each row."""
        self._browser.run(f"document.querySelector('[aria-label=\"{name}\"]').click()")

    def fill(self, **given):
        self.sees_dialogue()
        for label, value in given.items():
            self._browser.run(FILL % (label.replace("_", " "), value))

    def sees_dialogue(self):
        self._browser.until(
            "document.querySelector('dialog[open] label, dialog[open] .command') !== null"
        )

    def confirm(self, *, typed=None, undo=False):
        """Looks at the change, makes it, and undoes it or not."""
        if self._browser.run("[...document.querySelectorAll('dialog button')].some("
                             "(one) => one.textContent === 'Show the change')"):  # fmt: skip
            self.press("Show the change", "dialog button")
        self._browser.until("document.querySelector('dialog[open] .command') !== null")
        if typed is not None:
            self.fill(**{f"Type {typed} to confirm": typed})
        self.press("Do it", "dialog button")
        self._browser.until("document.querySelector('dialog[open] .note.good') !== null")
        if undo:
            self.press("Undo", "dialog button")
            self._browser.until("document.querySelector('dialog .note.good') === null")
            self._browser.until("document.querySelector('dialog[open] .command') !== null")
            self.press("Do it", "dialog button")
            self._browser.until("document.querySelector('dialog[open] .note.good') !== null")
        self.press("Close", "dialog button")
        self._browser.until("document.querySelector('dialog') === null")

    def sees(self, text):
        self._browser.until(f"document.querySelector('main').innerText.includes({text!r})")

    def sees_no(self, text):
        self._browser.until(f"!document.querySelector('main').innerText.includes({text!r})")


def setting(busy, name):
    found = busy.get(f"/topics/{TOPIC}/configs")
    return next(one["value"] for one in found if one["name"] == name)


def test_a_setting_is_changed_and_the_change_undone(browser, busy):
    before = setting(busy, "retention.ms")
    person = Person(browser, busy, f"/topics/{TOPIC}/settings")
    person.presses_named("Change retention.ms")
    person.fill(**{f"retention.ms of topic {TOPIC}": "3600000"})
    person.confirm()
    person.sees("3600000")
    assert setting(busy, "retention.ms") == "3600000"
    person.presses_named("Change retention.ms")
    person.fill(**{f"retention.ms of topic {TOPIC}": "7200000"})
    person.confirm(undo=True)
    assert setting(busy, "retention.ms") == "3600000" != before


def test_offsets_of_a_group_are_moved_and_moved_back(browser, busy):
    def committed():
        return [one["committed"] for one in busy.get(f"/groups/{GROUP}")["offsets"]]

    person = Person(browser, busy, f"/groups/{GROUP}")
    person.press("Move offsets")
    person.fill(To="shift", Number="5")
    person.confirm()
    person.sees("\t5\t")
    assert committed() == [5]
    person.press("Move offsets")
    person.fill(To="shift", Number="7")
    person.confirm(undo=True)
    assert committed() == [5]


def test_a_record_is_sent_and_found(browser, busy):
    person = Person(browser, busy, f"/topics/{COUNTED}")
    person.press("Send a record")
    person.fill(Key="by-hand", Value='{"id": "sent by hand"}', Partition="3")
    person.confirm()
    person = Person(
        browser, busy, f"/search?query=select * from \"{COUNTED}\" where key = 'by-hand'"
    )
    person.sees("sent by hand")


def test_a_rule_is_added_and_removed(browser, busy):
    person = Person(browser, busy, "/acls")
    person.press("Add a rule")
    person.fill(Principal="User:ann", Operation="read", Named=TOPIC)
    person.confirm()
    person.sees("User:ann")
    person.presses_named(f"Remove the rule of User:ann on {TOPIC}")
    person.confirm()
    person.sees_no("User:ann")


def test_a_role_is_granted_and_taken_back(browser, busy):
    person = Person(browser, busy, "/roles")
    person.press("Grant a role")
    person.fill(Principal="User:ann", Role="DeveloperWrite", Named=TOPIC)
    person.confirm()
    person.sees("User:ann")
    person.presses_named(f"Take DeveloperWrite on {TOPIC} from User:ann")
    person.confirm()
    person.sees_no("User:ann")


def test_a_quota_is_set_and_given_up(browser, busy):
    person = Person(browser, busy, "/quotas")
    person.press("Set a quota")
    person.fill(Of_a="user", Named="bob", Quota="producer_byte_rate", Value="54321")
    person.confirm()
    person.sees("54,321")
    person.presses_named("Give up producer_byte_rate of user bob")
    person.confirm()
    person.sees_no("54,321")


def test_a_user_gets_a_password_and_loses_it(browser, busy):
    person = Person(browser, busy, "/users")
    person.press("Set a password")
    person.fill(User="carol", Password="of carol")
    person.confirm()
    person.sees("carol")
    person.presses_named("Delete the password of carol")
    person.confirm(typed="carol")
    person.sees_no("carol")


def test_a_partition_is_moved_by_changing_its_line(browser, busy):
    def replicas():
        return busy.get(f"/topics/{LONG_NAME}")["partitions"][0]["replicas"]

    before = replicas()
    person = Person(browser, busy, f"/topics/{LONG_NAME}")
    browser.run(
        "{ const box = document.querySelector('select[aria-label^=Change]'); box.value = 'move'; "
        "box.dispatchEvent(new Event('change')); }"
    )
    person.sees_dialogue()
    lines = str(browser.run("document.querySelector('dialog textarea').value")).splitlines()
    assert lines[0] == f"0: {', '.join(map(str, before))}"
    turned = before[::-1]
    person.fill(
        **{"Brokers of each partition, the preferred leader first": f"0: {turned[0]}, {turned[1]}"}
    )
    person.confirm()
    browser.until("location.pathname.endsWith('/reassignments')")
    person.sees("No partition is moving")
    assert replicas() == turned[:2]


def test_what_was_changed_is_listed_with_its_commands(browser, busy):
    busy.run("set-quota", entity={"user": "dora"}, values={"producer_byte_rate": 12_345})
    person = Person(browser, busy, "/changes")
    person.sees("producer_byte_rate=12345")
    person.sees("done")
    assert "of carol" not in browser.text()
