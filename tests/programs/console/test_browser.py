"""Scenarios that a person follows in a browser, and what goes wrong in them."""

from __future__ import annotations

import http.client
import signal
import tempfile
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from tests.interop.running_node import running_node
from tests.judges.kafka_node import KafkaNode, free_ports
from tests.judges.logins import ADMIN, ALICE, java_settings, written
from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.console.login_provider import LoginProvider, settings_of_node
from tests.programs.console.running_console import RunningConsole
from tests.programs.console.test_browser_changes import Person
from tests.programs.console.test_chromium import CLICK, PAGES, SCRIPT

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.skipif(chromium_path() is None, reason="there is no Chromium on this machine"),
]
BIG_BYTES = 10 * 1024 * 1024
ROOM_BYTES = BIG_BYTES + 4096


@pytest.fixture(scope="module")
def browser():
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as chromium:
        chromium.size(1280, 800)
        yield chromium


def started(folder, bootstrap, *more):
    listen = ("--listen", "127.0.0.1:0") if "--listen" not in more else ()
    return RunningConsole(folder, "console", "--bootstrap-server", bootstrap, *listen, *more)


def test_a_person_logs_in_at_a_provider_and_sees_what_the_rules_allow(browser, tmp_path):
    (port,) = free_ports(1)
    place = f"127.0.0.1:{port}"
    with LoginProvider() as provider:
        client = written(tmp_path / "client.properties", java_settings())
        oidc = written(
            tmp_path / "oidc.properties", provider.settings_of_console(f"http://{place}")
        )
        with running_node(tmp_path, **settings_of_node(provider)) as bootstrap:
            flags = ("--command-config", str(client), "--oidc-config", str(oidc))
            console = started(tmp_path, bootstrap, "--listen", place, *flags)
            try:
                _walk_as_alice(browser, provider, place, tmp_path)
            finally:
                console.stop()


def _walk_as_alice(browser, provider, place, folder):
    log_in(browser, provider, f"http://{place}/ui/groups", ALICE)
    browser.until("document.body?.innerText.includes('as alice')")
    assert browser.run("location.pathname") == "/ui/groups"
    assert browser.run("document.cookie") == "", "scripts see no cookie"
    for page in (one for one in PAGES if "{topic}" not in one):
        browser.open(f"http://{place}/ui{page}")
        assert "Try again" not in browser.text(), (page, browser.text())
        browser.picture(folder / f"{page.strip('/').replace('/', '-') or 'cluster'}.png")
    browser.open(f"http://{place}/ui/topics/secret")
    assert "Not allowed to use topic secret" in browser.text(), browser.text()
    browser.open(f"http://{place}/ui/acls")
    assert "Not allowed to use the cluster" in browser.text(), browser.text()
    browser.run(CLICK % "Log out")
    browser.until(f"location.origin === '{provider.url}'")
    log_in(browser, provider, f"http://{place}/ui/acls", ADMIN)
    browser.until("document.body?.innerText.includes('There are no access rules')")


def log_in(browser, provider, page, user):
    """The browser is led to the provider, where the person logs in, and is led back."""
    browser.run(f"location.href = '{page}'")
    browser.until(f"location.href.startsWith('{provider.url}/authorize?')")
    code, state = provider.login(browser.run("location.href"), user)
    back = f"http://{page.split('/')[2]}/login/callback"
    browser.run(f"location.href = '{back}?code=' + encodeURIComponent('{code}') + '&state={state}'")


def test_a_value_of_ten_megabytes_is_cut_and_can_be_downloaded(browser, console, topic):
    console.run("alter-configs", of="topic", name=topic, set={"max.message.bytes": str(ROOM_BYTES)})
    producer = Producer({"bootstrap.servers": console.bootstrap, "message.max.bytes": ROOM_BYTES})
    data = bytes(range(256)) * (BIG_BYTES // 256)
    producer.produce(topic, data, key=b"big")
    assert producer.flush(60) == 0
    browser.open(f"http://{console.place}/ui/topics/{topic}/messages")
    assert "hex, 10 MiB" in browser.text()
    assert len(browser.text()) < 10_000
    browser.run("document.querySelector('details.record').open = true")
    whole = browser.until("document.querySelector('a[download]')?.getAttribute('href')")
    link = http.client.HTTPConnection(console.place, timeout=60)
    link.request("GET", whole)
    assert link.getresponse().read() == data
    link.close()


def test_xml_is_laid_out_and_what_stands_beside_text_keeps_its_line(browser, console, topic):
    console.send(
        topic,
        "<?xml version='1.0'?><o n='a>b'> <id>7</id><e></e><s> </s><!-- c --><i/>"
        "<p>some <b>bold <i>x</i></b> &lt;text</p><d><![CDATA[<z>]]></d></o>",
    )
    browser.open(f"http://{console.place}/ui/topics/{topic}/messages")
    browser.run("document.querySelector('details.record').open = true")
    browser.until("document.querySelector('.record .data') !== null")
    assert browser.run("document.querySelector('.record .data').textContent").split("\n") == [
        "<?xml version='1.0'?>",
        "<o n='a>b'>",
        "  <id>7</id>",
        "  <e></e>",
        "  <s> </s>",
        "  <!-- c -->",
        "  <i/>",
        "  <p>some <b>bold <i>x</i></b> &lt;text</p>",
        "  <d><![CDATA[<z>]]></d>",
        "</o>",
    ]


def test_a_live_tail_goes_on_where_it_was_when_its_console_comes_back(
    browser, console, topic, tmp_path
):
    (port,) = free_ports(1)
    listen = ("--listen", f"127.0.0.1:{port}")
    first = started(tmp_path, console.bootstrap, *listen)
    browser.open(f"http://{first.place}/ui/topics/{topic}/messages")
    browser.run(CLICK % "Follow live")
    browser.until("document.querySelector('main').innerText.includes('Connected')")
    console.send(topic, "before")
    browser.until("document.querySelectorAll('.record').length === 1")
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    first.process.stdout.close()
    browser.until("document.querySelector('main').innerText.includes('connection was lost')")
    console.send(topic, "while it was gone")
    second = started(tmp_path, console.bootstrap, *listen)
    console.send(topic, "after")
    browser.until("document.querySelectorAll('.record').length === 3")
    shown = browser.run("[...document.querySelectorAll('.record .brief')].map((e) => e.innerText)")
    assert shown == ["after", "while it was gone", "before"]
    browser.run("document.querySelector('[aria-pressed=true]').click()")
    second.stop()


def test_the_pages_show_a_cluster_of_apache_kafka(browser, kafka_libs, tmp_path):
    node = KafkaNode(kafka_libs, tmp_path, settings={})
    node.start()
    try:
        console = started(tmp_path, node.bootstrap)
        console.make("orders", 2)
        console.send("orders", SCRIPT, '{"id": 1}', key="k")
        reader = Consumer({"bootstrap.servers": node.bootstrap, "group.id": "readers"})
        reader.commit(offsets=[TopicPartition("orders", 0, 0)], asynchronous=False)
        reader.close()
        for width in (360, 1280):
            browser.size(width, 800)
            for page in (*(p for p in PAGES if "schemas" not in p), "/groups/readers"):
                browser.open(f"http://{console.place}/ui{page.format(topic='orders')}")
                assert "Try again" not in browser.text(), (page, browser.text())
                assert browser.run("document.documentElement.scrollWidth") <= width, page
        browser.open(f"http://{console.place}/ui/topics/orders/messages")
        assert SCRIPT in browser.text()
        browser.open(f"http://{console.place}/ui/groups/readers")
        browser.until("document.body.innerText.includes('No member reads in readers')")
        console.stop()
    finally:
        node.stop()


def test_a_template_is_kept_and_filled_in_and_sent_to_apache_kafka(browser, kafka_libs, tmp_path):
    node = KafkaNode(kafka_libs, tmp_path, settings={})
    node.start()
    try:
        console = started(tmp_path, node.bootstrap)
        console.make("orders", 2)
        browser.problems.clear()
        person = Person(browser, console, "/topics/orders")
        person.press("Send a record")
        person.fill(**{"Key": "12", "The key is": "int64", "Value": '{"id": 7}'})
        person.fill(**{"Partition": "1", "Headers, one a line": "source=shop\\nnone"})
        person.press("Keep as a template")
        person.fill(Name="often")
        person.press("Keep it")
        browser.open(f"http://{console.place}/ui/topics/orders/messages")  # it is kept
        person = Person(browser, console, "/topics/orders")
        person.press("Send a record")
        browser.until("document.querySelector('dialog [aria-label=Template]') !== null")
        browser.run(
            "{ const kept = document.querySelector('dialog [aria-label=Template]');"
            " kept.value = '0'; kept.dispatchEvent(new Event('change')); }"
        )
        person.confirm()
        consumer = Consumer({"bootstrap.servers": node.bootstrap, "group.id": "judge"})
        consumer.assign([TopicPartition("orders", 1, 0)])
        found = consumer.poll(60)
        consumer.close()
        assert found is not None
        assert (found.key(), found.value()) == ((12).to_bytes(8), b'{"id":7}')
        assert found.headers() == [("source", b"shop"), ("none", None)]
        assert browser.problems == []
        console.stop()
    finally:
        node.stop()


def test_no_name_that_a_client_chooses_is_run(browser, console, topic):
    servers = {"bootstrap.servers": console.bootstrap}
    sender = Producer({**servers, "transactional.id": SCRIPT})
    sender.init_transactions(60)
    sender.begin_transaction()
    sender.produce(topic, SCRIPT, key=SCRIPT, headers=[(SCRIPT, SCRIPT.encode())])
    sender.commit_transaction(60)
    reader = Consumer({**servers, "group.id": SCRIPT, "client.id": SCRIPT})
    reader.subscribe([topic])
    reader.poll(5)
    reader.commit(offsets=[TopicPartition(topic, 0, 0)], asynchronous=False)
    schema = '{"type": "record", "name": "r", "doc": %s, "fields": []}'
    text = schema % ('"' + SCRIPT.replace('"', '\\"') + '"')
    console.run("register-schema", subject=f"{topic}-value", schema=text)
    group = browser.run(f"encodeURIComponent({SCRIPT!r})")
    pages = {
        "/transactions": SCRIPT,
        "/groups": SCRIPT,
        f"/groups/{group}": SCRIPT,
        f"/topics/{topic}/messages": SCRIPT,
        f"/topics/{topic}/groups": SCRIPT,
        f"/schemas/{topic}-value": "<script>",
    }
    for page, shown in pages.items():
        browser.open(f"http://{console.place}/ui{page}")
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        browser.until(f"document.body.innerText.includes({shown!r})")
        assert browser.run("document.title") != "run", page
        assert browser.run("document.querySelectorAll('main img, main script').length") == 0
    reader.close()


def test_the_back_button_leads_to_the_page_before_and_a_reload_changes_nothing(
    console, topic, tmp_path
):
    console.send(topic, *"ab")
    with Chromium(tmp_path) as browser:
        browser.open(f"http://{console.place}/ui/topics?q={topic}")
        _there_and_back(browser, topic)


def _there_and_back(browser, topic):
    browser.run("document.querySelector('.vrow a').click()")
    browser.until(f"document.querySelector('h1').textContent === '{topic}'")
    browser.run("[...document.querySelectorAll('.tabs a')][1].click()")
    browser.until("document.querySelectorAll('.record').length === 2")
    browser.run("history.back()")
    browser.until("document.querySelector('.tabs [aria-current]').textContent === 'Partitions'")
    browser.run("history.back()")
    browser.until("document.querySelector('h1').textContent === 'Topics'")
    assert browser.run("document.querySelector('input[type=search]').value") == topic
    browser.open(browser.run("location.href"))
    assert browser.run("document.querySelectorAll('.vrow').length") == 1


def test_the_keyboard_alone_creates_a_topic(browser, console, topic):
    browser.open(f"http://{console.place}/ui/topics")
    for _ in range(60):
        if browser.run("document.activeElement.textContent") == "Create a topic":
            break
        browser.press("Tab")
    browser.press("Enter")
    browser.until("document.querySelector('dialog[open]') !== null")
    browser.write(f"{topic}.keys")
    browser.press("Enter")
    browser.until("document.querySelector('dialog .command') !== null")
    browser.until("document.activeElement.textContent !== 'Cancel'")
    for _ in range(20):
        if browser.run("document.activeElement.textContent") == "Do it":
            break
        browser.press("Tab")
    browser.press("Enter")
    browser.until("document.querySelector('dialog .note.good') !== null")
    browser.press("Enter")
    browser.until(f"location.pathname === '/ui/topics/{topic}.keys'")
