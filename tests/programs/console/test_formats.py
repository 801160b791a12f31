"""Formats of users in a console: its pages, live tail, search and sending, and how it starts.

The module is the one of the guide.
"""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import uuid
import zlib
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.programs.console.running_console import RunningConsole
from tests.tidy.source import ROOT

GUIDE = (ROOT / "docs/console.md").read_text()
HOSTILE = """
import os

def decode(topic, data):
    match data:
        case b"hang":
            while True:
                pass
        case b"die":
            os._exit(9)
        case b"set":
            return {1}
    return data.decode().upper()
"""
MORE = "formats.hostile.decode=hostile:decode\n"
ENTRY = "[moldau.console.formats]\nby-package = shop_package\n"
PACKAGE = """
topics = "package.*"

def decode(topic, data):
    return {"of": topic, "size": len(data)}
"""


def block(language):
    """Of the chapter in the guide."""
    chapter = GUIDE.partition("## Formats of your own")[2]
    found = re.search(f"```{language}\n(.*?)```", chapter, re.DOTALL)
    assert found is not None
    return found[1]


def written(folder: Path):
    """A folder of modules, with a package that is installed."""
    (folder / "shop_formats.py").write_text(block("python"))
    (folder / "hostile.py").write_text(HOSTILE)
    (folder / "shop_package.py").write_text(PACKAGE)
    (folder / "broken.py").write_text("import no_such_module\n")
    installed = folder / "shop-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: shop\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(ENTRY)
    declared = block("properties").replace("formats=sealed", "formats=sealed,hostile")
    (folder / "formats.properties").write_text(declared + MORE)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return written(tmp_path_factory.mktemp("formats"))


@pytest.fixture(scope="module")
def reading(console, folder):
    """A console with formats, beside that of the node."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        command = ["--listen", "127.0.0.1:0", "--mask", "orders.masked*:card"]
        found = RunningConsole(
            folder,
            *("console", "--bootstrap-server", console.bootstrap, *command),
            *("--format-config", str(folder / "formats.properties")),
        )
    yield found
    found.stop()


@pytest.fixture
def orders(console):
    return console.make(f"orders.{uuid.uuid4().hex[:12]}")


def values(console, topic, **given):
    found = console.get(f"/topics/{topic}/records?{urlencode(given)}")["records"]
    return [one["value"] for one in found]


def events(console, path, wanted):
    """The data of the first event of this name that is worth it."""
    link = http.client.HTTPConnection(console.place, timeout=60)
    try:
        link.request("GET", f"/api{path}")
        answer = link.getresponse()
        assert answer.status == 200, answer.read()
        name = b""
        for line in answer:
            if line.startswith(b"event: "):
                name = line.removeprefix(b"event: ").strip()
            elif line.startswith(b"data: ") and name.decode() in ("failed", wanted):
                data = json.loads(line.removeprefix(b"data: "))
                if data.get("records", True):
                    return data
    finally:
        link.close()
    raise AssertionError(f"there is no {wanted}")


def searched(console, topic, columns="*", **formats):
    query = f'select {columns} from "{topic}" order by "offset"'
    return events(console, f"/search?{urlencode({'query': query, **formats})}", "result")


def hexed(data):
    return {"value": data.hex(), "value_format": "hex"}


def test_what_there_is_is_known_to_the_pages(reading):
    found = [(one["name"], one["topics"], one["encodes"]) for one in reading.get("")["formats"]]
    assert found == [
        ("sealed", "orders.*", True),
        ("hostile", None, False),
        ("by-package", "package.*", False),
    ]


def test_a_record_that_is_sent_by_a_format_is_shown_by_it(reading, orders):
    reading.run("produce", topic=orders, value='{"a": 1}', value_format="sealed")
    (value,) = values(reading, orders)
    assert (value["text"], value["decoded_by"]) == ('{"a": 1}', "sealed")
    (value,) = values(reading, orders, value_format="hex")
    assert bytes.fromhex(value["text"]) == zlib.compress(b'{"a": 1}')


def test_a_record_that_is_none_of_its_format_costs_one_sentence(reading, orders):
    for value in ({"value": "plain"}, hexed(zlib.compress(b"[1]"))):
        reading.run("produce", topic=orders, **value)
    bad, good = values(reading, orders)
    assert bad["text"] == "plain"
    assert "raised error: Error -3" in bad["reason"]
    assert bad["reason"].endswith("choose another format, or mend formats.sealed")
    assert (good["text"], good["reason"]) == ("[1]", None)


def test_code_that_hangs_or_ends_its_process_blocks_nothing(reading, topic):
    for value in ("a", "hang", "die", "set", "b"):
        reading.run("produce", topic=topic, value=value)
    first, *bad, last = values(reading, topic, value_format="hostile")
    assert (first["text"], last["text"]) == ("A", "B")
    for one, why in zip(bad, ("longer than 1 s", "exit code 9", "a set"), strict=True):
        assert why in one["reason"]
    assert [one["text"] for one in values(reading, topic)] == ["a", "hang", "die", "set", "b"]


def test_a_live_tail_decodes(reading, orders):
    reading.run("produce", topic=orders, value='{"a": 1}', value_format="sealed")
    places = urlencode({"after": "0:0", "key_format": "hex"})
    found = events(reading, f"/topics/{orders}/tail?{places}", "records")
    assert found["records"][0]["value"]["decoded_by"] == "sealed"


def test_a_search_has_columns_that_were_decoded(reading, orders):
    sealed = zlib.compress(b'{"a": 41}')
    for value in (hexed(sealed), {"value": "plain"}):
        reading.run("produce", topic=orders, key="k", **value)
    columns = "key, value, (json->>'$.a')::int + 1, value_bytes, reason"
    (good, bad) = searched(reading, orders, columns)["rows"]
    assert good == ["k", '{"a": 41}', 42, sealed.hex(), None]
    assert bad[1:4] == ["plain", None, b"plain".hex()]
    assert bad[4].endswith("choose another format, or mend formats.sealed")
    assert "reason" not in searched(reading, orders, value_format="text")["columns"]


def test_code_that_hangs_costs_a_search_that_record(reading, topic):
    for value in ("a", "hang", "set", "b"):
        reading.run("produce", topic=topic, value=value)
    rows = searched(reading, topic, "value, reason", value_format="hostile")["rows"]
    assert [row[0] for row in rows] == ["A", "hang", "set", "B"]
    assert [row[1] and row[1].partition(": ")[0] for row in rows] == [
        None,
        "decode of hostile took longer than 1 s",
        "decode of hostile returned a set that has no form in JSON",
        None,
    ]


def test_code_that_ends_its_process_ends_that_search_alone(reading, topic):
    reading.run("produce", topic=topic, value="die")
    message = searched(reading, topic, value_format="hostile")["message"]
    assert "ended with exit code 9" in message
    assert searched(reading, topic, "value")["rows"] == [["die"]]


def test_masks_hold_for_what_was_decoded(reading, console):
    topic = console.make(f"orders.masked.{uuid.uuid4().hex[:12]}")
    for value in ('{"card": "secret"}', "secret"):
        data = {"value_format": "sealed"} if value[0] == "{" else {}
        reading.run("produce", topic=topic, value=value, **data)
    assert "secret" not in str(values(reading, topic))
    assert "secret" not in str(searched(reading, topic))
    assert b"secret".hex() not in str(searched(reading, topic))


def test_a_package_is_used_for_the_topics_that_it_names(reading, console):
    topic = console.make(f"package.{uuid.uuid4().hex[:12]}")
    console.send(topic, "abc")
    (value,) = values(reading, topic)
    assert json.loads(value["text"]) == {"of": topic, "size": 3}


@pytest.mark.parametrize("path", ["/topics/{}/records", "/topics/{}/tail", "/search"])
def test_a_format_that_is_not_there_is_refused_with_those_that_are(reading, topic, path):
    query = urlencode({"value_format": "moon", "query": f'select 1 from "{topic}"'})
    status, sentence = reading.refusal("GET", f"{path.format(topic)}?{query}")
    assert (status, "base64, sealed, hostile, by-package, and not moon" in sentence) == (400, True)


def test_what_cannot_be_encoded_is_a_sentence(reading, topic):
    body = {"topic": topic, "value": "a", "value_format": "hostile"}
    status, sentence = reading.refusal("POST", "/changes/produce/plan", body)
    assert (status, sentence.endswith("base64, schema, sealed")) == (400, True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("formats=a\nformats.a.decode=broken:f\n", "formats.a: broken cannot be imported"),
        ("formats=a\nformats.a.decode=hostile:f\n", "hostile has no f: look how it is written"),
        ("formats=a\n", "formats.a.decode is missing"),
    ],
)
def test_a_console_does_not_start_with_a_format_that_cannot_be(folder, text, sentence):
    path = folder / "refused.properties"
    path.write_text(text)
    place = ["--bootstrap-server", "127.0.0.1:1", "--listen", "127.0.0.1:0"]
    ended = subprocess.run(
        [sys.executable, "-m", "moldau", "console", *place, "--format-config", str(path)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode != 0
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr
