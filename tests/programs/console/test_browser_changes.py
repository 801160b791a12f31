"""Each page that changes something, as a person uses it, at three nodes under load."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from confluent_kafka import Consumer, TopicPartition

from tests.programs.console.busy_cluster import COUNTED, LONG_NAME, TOPIC
from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.console.hung_transaction import hang

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

    def types(self, within, text):
        """Into a box of the page itself."""
        self._browser.run(
            f"document.querySelector('{within}').value = '{text}';"
            f"document.querySelector('{within}').dispatchEvent(new Event('input'))"
        )

    def reads_in_dialogue(self):
        return str(self._browser.run("document.querySelector('dialog[open]').innerText"))

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


def servers_of(busy):
    """The console stands alone, so that what it was started with is not its own place."""
    return busy.get("")["servers"]


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
    person.presses_named("Remove producer_byte_rate of user bob")
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


def test_a_topic_gets_more_replicas_on_the_brokers_that_have_the_fewest(browser, busy):
    busy.run("create-topic", topic="narrow", partitions=6, replication_factor=1)
    person = Person(browser, busy, "/topics/narrow")
    browser.run(
        "{ const box = document.querySelector('select[aria-label^=Change]'); box.value = 'move'; "
        "box.dispatchEvent(new Event('change')); }"
    )
    person.fill(**{"Replicas of each partition": "2"})
    person.confirm()
    browser.until("location.pathname.endsWith('/reassignments')")
    person.sees("No partition is moving")
    replicas = [one["replicas"] for one in busy.get("/topics/narrow")["partitions"]]
    assert [len(one) for one in replicas] == [2] * 6
    assert sorted(Counter(broker for one in replicas for broker in one).values()) == [4, 4, 4]


def test_topics_are_chosen_in_the_list_and_deleted_together(browser, busy):
    for name in ("scratch-a", "scratch-b"):
        busy.make(name)
    person = Person(browser, busy, "/topics?q=scratch")
    person.press("Choose several", "main button")
    person.press("Choose all that are listed", "main button")
    person.sees("2 topics are chosen")
    person.press("Delete them", "main button")
    person.confirm(typed="2 topics")
    person.sees_no("scratch-a")
    names = [row[0] for row in busy.get("/topics?fresh=true")["rows"]]
    assert not {"scratch-a", "scratch-b"} & set(names)


def test_a_group_gets_an_offset_for_each_partition_and_forgets_a_topic(browser, busy):
    left = Consumer({"bootstrap.servers": servers_of(busy), "group.id": "movable"})
    left.commit(
        offsets=[TopicPartition(TOPIC, 0, 1), TopicPartition(COUNTED, 1, 2)], asynchronous=False
    )
    left.close()
    person = Person(browser, busy, "/groups/movable")
    person.press("Move offsets")
    person.fill(To="own")
    lines = str(browser.run("document.querySelector('dialog textarea').value"))
    assert lines.splitlines() == [f"{TOPIC}-0: 1", f"{COUNTED}-1: 2"]
    person.fill(**{"Offset of each partition": f"{TOPIC}-0: 3"})
    person.confirm()
    person.press("Forget a topic")
    person.fill(Topic=COUNTED)
    person.confirm()
    found = busy.get("/groups/movable")["offsets"]
    assert [(one["topic"], one["committed"]) for one in found] == [(TOPIC, 3)]


def test_what_was_changed_is_listed_with_its_commands(browser, busy):
    busy.run("set-quota", entity={"user": "dora"}, values={"producer_byte_rate": 12_345})
    person = Person(browser, busy, "/changes")
    person.sees("producer_byte_rate=12345")
    person.sees("done")
    assert "of carol" not in browser.text()


def test_a_hung_transaction_is_found_with_its_producer_and_ended(browser, busy):
    """Readers of committed records wait behind it, and the records go on coming meanwhile."""
    part, name = 5, f"{COUNTED}-5"
    producer = hang(busy, COUNTED, part, "refund-by-an-old-client")
    (start,) = _starts(busy, part, producer)
    reader = Consumer({"bootstrap.servers": servers_of(busy), "group.id": "ledger"})
    reader.assign([TopicPartition(COUNTED, part, start)])
    assert reader.poll(3) is None, "what follows it is not to be read"
    person = Person(browser, busy, "/transactions")
    person.types("main input[type=number]", "0")
    person.press("Look for them", "main button")
    person.sees(f"{name}\t{producer}, epoch 0")
    browser.run(PRESS % ("main a", name))
    browser.until("document.querySelector('.tabs [aria-current]')?.textContent === 'Producers'")
    person.sees(f"{part}\t{producer}\t")
    person.sees(f"from {start}")
    browser.run("history.back()")
    browser.until("document.querySelector('h1').textContent === 'Transactions'")
    person.types("main input[type=number]", "0")
    person.press("Look for them", "main button")
    person.sees(name)
    person.presses_named(f"End the transaction in {name}")
    person.sees_dialogue()
    command = f"transactions --bootstrap-server {servers_of(busy)} abort --topic {COUNTED}"
    assert f"{command} --partition {part} --start-offset {start}" in person.reads_in_dialogue()
    assert "to this partition is discarded" in person.reads_in_dialogue()
    assert _starts(busy, part, producer) == [start], "it is only shown so far"
    person.confirm()
    person.sees("None of ")
    assert _starts(busy, part, producer) == []
    found = reader.poll(30)
    assert found is not None
    assert found.offset() > start
    reader.close()
    person = Person(browser, busy, "/changes")
    person.sees(f"abort --topic {COUNTED} --partition {part} --start-offset {start}\tdone")


def _starts(busy, partition, producer):
    """Where what the producer has open in the partition begins."""
    found = busy.get(f"/topics/{COUNTED}/producers")
    return [
        one["transaction_start"]
        for one in found
        if (one["partition"], one["producer_id"]) == (partition, producer)
        and one["transaction_start"] is not None
    ]
