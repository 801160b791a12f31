"""A page that is open says that the cluster is gone, whichever page it is; Node runs its script."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from moldau.programs.console.serving.pages import static_files

NODE = shutil.which("node")
SCENARIOS = """
const { look, SILENT } = await import("./watch.mjs");
const shown = {};
async function watch(name, ask) {
  const texts = [];
  await look(ask, (text) => texts.push(text === SILENT ? "silent" : text), 20);
  shown[name] = texts;
}
const later = (ms) => new Promise((done) => setTimeout(done, ms));
const failure = (message, status) => Object.assign(new Error(message), { status });
const fails = (message, status) => () => Promise.reject(failure(message, status));
await watch("answers", () => Promise.resolve());
await watch("answers late", () => later(200));
await watch("is silent and fails", () => later(200).then(fails("No broker", 503)));
await watch("fails", fails("No broker", 503));
await watch("is no more", fails("The console cannot be reached"));
await watch("refuses", fails("Not allowed", 403));
console.log(JSON.stringify(shown));
"""


@pytest.mark.skipif(NODE is None, reason="there is no Node")
def test_a_silent_or_absent_cluster_is_a_sentence_until_it_answers(tmp_path):
    (tmp_path / "watch.mjs").write_bytes(static_files()["watch.js"])
    (tmp_path / "scenarios.mjs").write_text(SCENARIOS)
    ran = subprocess.run(
        [str(NODE), "scenarios.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "answers": [""],
        "answers late": ["silent", ""],
        "is silent and fails": ["silent", "No broker"],
        "fails": ["No broker"],
        "is no more": ["The console cannot be reached"],
        "refuses": [""],
    }


def test_every_page_has_a_place_for_the_sentence():
    files = static_files()
    assert b'<div id="gone" role="alert"></div>' in files["index.html"]
    assert b'watch(() => api.get("/map"), gone,' in files["main.js"]
