"""What the browser keeps, such as searches: its module alone, run by Node; the page is in
test_chromium.py.
"""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from moldau.programs.console.serving.pages import static_files

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
STORE = """
const held = new Map();
const store = {
  getItem: (name) => held.has(name) ? held.get(name) : null,
  setItem: (name, text) => { held.set(name, text); },
};
let isAllowed = true;
const get = () => { if (!isAllowed) throw new Error(); return store; };
Object.defineProperty(globalThis, "localStorage", { get });
const { savedEntries } = await import("./saved.mjs");
const isOne = (one) => typeof one.query === "string";
const { forget, kept, save: put } = savedEntries("searches", isOne);
const save = (name, query) => put(name, { query });
"""


@pytest.fixture
def found(tmp_path):
    """What a script sees, with a store of its own."""

    def run(script):
        (tmp_path / "saved.mjs").write_bytes(static_files()["saved.js"])
        program = f"{STORE}{script}"
        (tmp_path / "test.mjs").write_text(program)
        assert NODE is not None
        done = subprocess.run(
            [NODE, "test.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_what_is_saved_is_found_the_latest_first_until_it_is_forgotten(found):
    script = """
    const was = [kept(), save("a", "select 1"), save("b", "select 2")];
    const names = kept().map((one) => one.name);
    console.log(JSON.stringify([...was, names, forget("b"), kept()]));
    """
    kept = [{"name": "a", "query": "select 1"}]
    assert found(script) == [[], True, True, ["b", "a"], True, kept]


def test_a_search_of_the_same_name_gives_way_and_the_oldest_of_too_many(found):
    script = """
    for (let at = 0; at < 60; at += 1) save(`search ${at}`, "select 1");
    save("search 30", "select 2");
    console.log(JSON.stringify(kept()));
    """
    kept = found(script)
    names = [f"search {at}" for at in (30, *range(59, 30, -1), *range(29, 9, -1))]
    assert [one["name"] for one in kept] == names
    assert kept[0]["query"] == "select 2"


def test_what_another_program_wrote_in_its_place_is_not_shown(found):
    script = """
    const some = '[null, {"name": "a"}, {"query": "c"}, {"name": "b", "query": "c"}]';
    const seen = ['no JSON', '{"name": 1}', some].map((text) => {
      store.setItem("searches", text);
      return kept();
    });
    console.log(JSON.stringify(seen));
    """
    assert found(script) == [[], [], [{"name": "b", "query": "c"}]]


def test_a_browser_that_keeps_nothing_says_so(found):
    script = 'isAllowed = false; console.log(JSON.stringify([save("a", "select 1"), kept()]));'
    assert found(script) == [False, []]
