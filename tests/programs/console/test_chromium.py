"""The pages in a browser: nothing is missing, nothing overflows, nothing a user supplied is run."""

import json
import tempfile
from pathlib import Path

import pytest

from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.console.cluster.test_subjects import FIRST, SECOND
from tests.programs.console.open_transaction import open_transaction
from tests.programs.console.running_console import RunningConsole

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


@pytest.mark.parametrize("page", ["", "/changes"])
def test_no_table_of_these_pages_is_cut_on_a_telephone(browser, console, topic, page):
    console.send(topic, "x" * 300)
    browser.size(360, 800)
    browser.open(f"http://{console.place}/ui{page}")
    cut = "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > %s)"
    assert browser.run("document.querySelectorAll('.scroll table').length") > 0
    assert browser.run(cut % "one.clientWidth" + ".map((one) => one.ariaLabel)") == []


def test_the_current_tab_is_seen_on_a_telephone(browser, console, topic):
    browser.size(360, 800)
    browser.open(f"http://{console.place}/ui/topics/{topic}/producers")
    right = "document.querySelector('.tabs [aria-current]').getBoundingClientRect().right"
    browser.until(f"{right} <= innerWidth")


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
    browser.run(CLICK % "Open all")
    browser.until("document.querySelectorAll('.record .data').length === 2")
    assert browser.run("document.querySelectorAll('main img, main script').length") == 0
    assert browser.run("document.title") != "run"
    browser.run(CLICK % "Close all")


def test_a_record_is_a_line_that_opens_and_whether_all_are_open_is_kept(browser, console, topic):
    console.send(topic, '{"id": 1, "to": {"street": "Market Street 7, behind the yard"}}', "two")
    page = f"http://{console.place}/ui/topics/{topic}/messages"
    browser.open(page)
    assert browser.run("document.querySelectorAll('.record .data').length") == 0
    browser.run("document.querySelectorAll('.record > summary')[1].click()")
    browser.until(
        "document.querySelector('.record[open] .data')?.innerText.includes('\\n  \"id\"')"
    )
    browser.run(CLICK % "Open all")
    browser.until("document.querySelectorAll('.record[open] .data').length === 2")
    browser.open(page)
    assert browser.run("document.querySelectorAll('.record[open] .data').length") == 2
    browser.run(CLICK % "Close all")
    browser.open(page)
    assert browser.run("document.querySelectorAll('.record[open]').length") == 0


def test_a_record_of_an_open_and_of_an_aborted_transaction_is_marked(browser, console, topic):
    def shown():
        browser.open(f"http://{console.place}/ui/topics/{topic}/messages")
        browser.until("document.querySelectorAll('details.record').length === 2")
        browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
        browser.until("document.querySelectorAll('details.record .data').length === 2")
        marks = "[...document.querySelectorAll('details.record .brief')].map((one) => %s)"
        return browser.run(marks % "one.querySelector('.tag')?.textContent ?? null")

    console.send(topic, "plain")
    producer = open_transaction(console.bootstrap, topic, topic)
    assert shown() == ["not committed", None]
    assert "until that has ended" in browser.text()
    producer.abort_transaction(60)
    assert shown() == ["aborted", None]
    assert "Its transaction was aborted" in browser.text()


def test_records_are_found_by_a_text_in_key_value_or_header(browser, console, topic):
    for value, more in (
        ("it is in the needle's value", {}),
        ("in the key", {"key": "a needle's"}),
        ("in a header", {"headers": [{"name": "trace", "value": "needle's"}]}),
        ("nowhere", {}),
    ):
        console.run("produce", topic=topic, value=value, **more)
    browser.open(f"http://{console.place}/ui/topics/{topic}/messages")
    browser.run('document.querySelector(\'[aria-label="Find records"]\').value = "needle\'s"')
    browser.run(CLICK % "Find")
    browser.until("document.querySelector('main').innerText.includes('rows;')")
    assert "3 rows; 4 offsets were read" in browser.text()
    assert "nowhere" not in browser.text()


def test_a_live_tail_shows_what_has_the_word_that_is_looked_for(browser, console, topic):
    browser.open(f"http://{console.place}/ui/topics/{topic}/messages")
    browser.run("document.querySelector('[aria-label=\"Find records\"]').value = 'paid'")
    browser.run(CLICK % "Follow live")
    browser.until("document.querySelector('main').innerText.includes('Connected')")
    console.send(topic, "order 1 is open", "order 2 is paid")
    browser.until("document.querySelectorAll('.record').length === 1")
    assert "order 2 is paid" in browser.text()
    assert '1 without "paid" are not shown' in browser.text()


def test_lists_are_sorted_by_their_columns_and_saved_as_they_are_shown(browser, console, topic):
    few, many = (console.make(f"{topic}.{name}") for name in ("few", "many"))
    console.send(few, "one")
    console.send(many, *map(str, range(5)))
    browser.size(1280, 800)
    browser.open(f"http://{console.place}/ui/topics?q={topic}.")
    browser.run(SAVES)
    wanted = (
        "[...document.querySelectorAll('.vrow')].map((one) => one.children[3].innerText).join()"
    )
    browser.until(f"{wanted} === '1,5'")
    browser.run(CLICK % "Records")
    browser.until(f"{wanted} === '5,1'")
    browser.run(CLICK % "CSV")
    rows = str(browser.until("window.saved[0]")).split("\r\n")
    assert rows[0] == "topic,partitions,replicas,records,bytes,under_replicated,offline"
    assert [row.split(",")[:4] for row in rows[1:-1]] == [
        [many, "1", "1", "5"],
        [few, "1", "1", "1"],
    ]


def test_a_list_that_is_looked_at_shows_what_came_since(browser, console, topic):
    browser.size(1280, 800)
    browser.open(f"http://{console.place}/ui/topics?q={topic}")
    records = "document.querySelector('.vrow')?.children[3].innerText"
    browser.until(f"{records} === '0'")
    console.send(topic, "one", "two")
    browser.until(f"{records} === '2'")


def test_a_result_is_saved_without_what_a_spreadsheet_would_run(browser, console, topic):
    console.send(topic, '=HYPERLINK("http://x")', "-7", 'a "b", c')
    query = browser.run(f'encodeURIComponent(\'select "offset", value from "{topic}"\')')
    browser.open(f"http://{console.place}/ui/search?query={query}")
    browser.until("document.querySelector('main').innerText.includes('rows;')")
    browser.run(SAVES)
    browser.run(CLICK % "CSV")
    assert browser.until("window.saved[0]") == (
        'offset,value\r\n0,"\'=HYPERLINK(""http://x"")"\r\n1,-7\r\n2,"a ""b"", c"\r\n'
    )


def test_records_of_a_page_are_saved_as_lines_of_json(browser, console, topic):
    console.send(topic, '{"id": 12345678901234567890}', "text", key="k")
    browser.open(f"http://{console.place}/ui/topics/{topic}/messages")
    browser.run(SAVES)
    browser.run(CLICK % "JSON")
    later, first = str(browser.until("window.saved[0]")).splitlines()
    assert '"value": {"id": 12345678901234567890}' in first
    assert json.loads(later)["value"] == "text"


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
SAVES = (
    "{ window.saved = []; const real = URL.createObjectURL; URL.createObjectURL = (blob) => {"
    " blob.text().then((text) => window.saved.push(text)); return real(blob); }; }"
)
"""What would become files."""
