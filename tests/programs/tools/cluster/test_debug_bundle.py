"""`moldau debug-bundle`, at a node that runs."""

from __future__ import annotations

import json
import tarfile

from moldau.client.admin import Admin, NewTopic
from moldau.programs.tools.cluster.bundle import PARTS
from moldau.programs.tools.examples import EXAMPLES


def unpacked(path):
    with tarfile.open(path) as bundle:
        bundle.extractall(path.parent, filter="data")
    root = path.parent / "moldau-debug"
    return {
        str(file.relative_to(root)): file.read_text() for file in root.rglob("*") if file.is_file()
    }


def test_the_example_names_the_file_as_it_is_packed():
    assert EXAMPLES["debug-bundle"].endswith(".tar.gz")


def test_a_bundle_has_every_part_and_no_secret(call, node, errors, tmp_path):
    with Admin(node) as admin:
        admin.create_topics([NewTopic("bundled", 2, configs={"retention.ms": "77"})]).all()
    log = tmp_path / "server.log"
    log.write_text("login of u with password=hunter2 failed\n")
    code, lines = call(f"debug-bundle {tmp_path}/b.tar.gz --log {log}")
    assert code == 0
    assert "without records and secrets" in lines[0]
    assert "Not to be had: acls (the reasons are inside)." in lines[0]
    files = unpacked(tmp_path / "b.tar.gz")
    assert {f"{name}.json" for name in PARTS} < set(files)
    topics, configs = json.loads(files["topics.json"]), json.loads(files["topic_configs.json"])
    assert len(topics["bundled"]["partitions"]) == 2
    (entries,) = [value for key, value in configs.items() if key.endswith("bundled")]
    assert ("retention.ms", "77") in [(one["name"], one["value"]) for one in entries]
    assert "authorizer" in json.loads(files["acls.json"])["error"].lower()
    assert json.loads(files["about.json"])["bootstrap_server"] == node
    (kept,) = [text for name, text in files.items() if name.startswith("logs/")]
    assert kept == "login of u with password=[hidden] failed\n"
    assert "Asking for topic configs …" in errors.getvalue()


def test_a_file_that_is_there_stays(call, errors, tmp_path):
    (tmp_path / "b.tar.gz").write_text("mine")
    code, _ = call(f"debug-bundle {tmp_path}/b.tar.gz")
    assert (code, (tmp_path / "b.tar.gz").read_text()) == (1, "mine")
    assert "exists: remove it" in errors.getvalue()


def test_a_log_that_is_not_there_is_named_before_anything_is_asked(call, errors, tmp_path):
    code, _ = call(f"debug-bundle {tmp_path}/b.tar.gz --log {tmp_path}/nothing.log")
    assert code == 1
    assert "nothing.log" in errors.getvalue()
    assert "Asking" not in errors.getvalue()
