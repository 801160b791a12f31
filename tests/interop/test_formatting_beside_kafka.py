"""Judge: a directory that we format holds what kafka-storage would have put there."""

from __future__ import annotations

import subprocess

import pytest

from moldau.broker.log.directory.meta_properties import read_meta_properties
from moldau.broker.metadata.snapshot_file import decode_snapshot
from moldau.platform.system.files import SystemFiles
from moldau.programs.tools.main import main
from tests.judges.kafka_jars import class_path

pytestmark = pytest.mark.judge

CLUSTER = "AAAAAAAAAAAAAAAAAAAAAg"
BOOTSTRAP = "bootstrap.checkpoint"
ZERO = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"
CASES = {
    "standalone": ["--standalone"],
    "older": ["--standalone", "--release-version", "4.0", "--feature", "share.version=1"],
    "static": [],
}


def write_settings(folder, name, case):
    voters = "1@localhost:9093" if case == "static" else ""
    bootstrap = "" if case == "static" else "localhost:9093"
    lines = [
        "process.roles=broker,controller",
        "node.id=1",
        "controller.listener.names=C",
        "listeners=PLAINTEXT://localhost:9092,C://localhost:9093",
        f"log.dirs={folder / name / 'a'},{folder / name / 'b'}",
        f"controller.quorum.voters={voters}" if voters else "",
        f"controller.quorum.bootstrap.servers={bootstrap}" if bootstrap else "",
    ]
    path = folder / f"{name}.properties"
    path.write_text("\n".join(lines))
    return str(path)


def printed_by_kafka(libs, *arguments):
    command = ["java", "-Xmx200m", "-cp", class_path(libs), "kafka.tools.StorageTool", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return [line for line in ran.stdout.splitlines() if line.startswith("Formatting")]


@pytest.mark.parametrize("case", CASES)
def test_the_same_files_with_the_same_contents(kafka_libs, tmp_path, capsys, monkeypatch, case):
    theirs = write_settings(tmp_path, "theirs", case)
    ours = write_settings(tmp_path, "ours", case)
    printed = printed_by_kafka(kafka_libs, "format", "-t", CLUSTER, "-c", theirs, *CASES[case])
    monkeypatch.setattr("sys.argv", ["moldau", "format", "-t", CLUSTER, "-c", ours, *CASES[case]])
    assert main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(lines) == sorted(line.replace("/theirs/", "/ours/") for line in printed)
    assert listing(tmp_path / "ours") == listing(tmp_path / "theirs")
    for directory in ("a", "b"):
        compare(tmp_path / "ours" / directory, tmp_path / "theirs" / directory)


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def compare(ours, theirs):
    assert whose(ours) == whose(theirs) == (CLUSTER, 1)
    for name in (BOOTSTRAP, ZERO):
        if not (theirs / name).exists():
            continue
        mine, other = (read_snapshot(path / name) for path in (ours, theirs))
        assert mine.records == other.records
        assert mine.kraft_version == other.kraft_version
        assert shape(mine.voters) == shape(other.voters)
        assert (ours / name).stat().st_size == (theirs / name).stat().st_size


def whose(folder):
    found = read_meta_properties(SystemFiles(), str(folder))
    return found and (found.cluster_id, found.node_id)


def read_snapshot(path):
    return decode_snapshot(path.read_bytes(), str(path))


def shape(voters):
    """All but the random id of the directory."""
    return voters and [(one.voter_id, one.endpoints) for one in voters.voters]
