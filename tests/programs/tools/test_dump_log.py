"""`moldau dump-log` beside the output of Apache Kafka's own tool on the same files."""

from __future__ import annotations

import json
import os
from io import StringIO
from pathlib import Path

import pytest

from moldau.broker.log.encryption.key_file import KeyFile
from moldau.broker.log.encryption.keyring import Keyring
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from moldau.protocol.records.batch import read_header
from tests.broker.log.batches import batch

VECTORS = Path(__file__).parents[2] / "vectors"
DUMPS = VECTORS / "dumps"
FIRST = "00000000000000000000"
METADATA = f"__cluster_metadata-0/{FIRST}"
GROUPS = ",".join(f"__consumer_offsets-{partition}/{FIRST}.log" for partition in (1, 2, 3))
NODE = """
process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
controller.quorum.voters=1@localhost:9093
listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093
"""
CASES = {
    "records": f"--print-data-log --files compacted-0/{FIRST}.log,txn-0/{FIRST}.log",
    "codecs": f"--print-data-log --max-bytes 5000 --files plain-0/{FIRST}.log",
    "without_metadata": "--print-data-log --skip-record-metadata "
    f"--files compacted-0/{FIRST}.log,txn-0/{FIRST}.log",
    "files": "--files "
    + ",".join(f"txn-0/{FIRST}.{kind}" for kind in ("log", "index", "timeindex", "txnindex"))
    + ",txn-0/00000000000000000072.snapshot,plain-0/00000000000000000210.snapshot,"
    + f"{METADATA}.index,{METADATA}.timeindex,txn-0/partition.metadata",
    "sane": f"--index-sanity-check --files {METADATA}.index,{METADATA}.timeindex",
    "cluster_metadata": f"--cluster-metadata-decoder --max-bytes 6000 --files {METADATA}.log",
    "bootstrap": "--cluster-metadata-decoder --files bootstrap.checkpoint",
    "offsets": f"--offsets-decoder --files {GROUPS}",
    "transaction_log": "--transaction-log-decoder --max-bytes 3000 "
    f"--files __transaction_state-1/{FIRST}.log",
    "share_group_state": f"--share-group-state-decoder --files __share_group_state-1/{FIRST}.log",
}


@pytest.fixture(autouse=True)
def _in_the_log_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(VECTORS / "log_directory")


def dump(line: str) -> tuple[int, str, str]:
    """Exit code, output, errors."""
    out, errors = StringIO(), StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SeededRandom(1), out=out, errors=errors
    )
    code = run_command(["dump-log", *line.split()], world)
    return code, out.getvalue(), errors.getvalue()


@pytest.mark.parametrize("name", CASES)
def test_every_line_is_kafkas(name):
    code, out, _ = dump(CASES[name])
    assert code == 0
    assert out.splitlines() == (DUMPS / f"{name}.txt").read_text().splitlines()


def test_findings_and_unknown_files_are_reported_on_standard_error():
    """In Kafka's words, but with paths as they were given; Kafka makes them absolute."""
    _, _, errors = dump(CASES["files"])
    assert errors == (DUMPS / "files_errors.txt").read_text()


def test_verifying_an_index_prints_no_entries():
    _, out, errors = dump(f"--verify-index-only --files {METADATA}.timeindex")
    assert out == f"Dumping {METADATA}.timeindex\n"
    assert "Indexed offset: 286, found log offset: -1" in errors


def test_json_is_one_object_a_line():
    _, out, _ = dump(f"--json --print-data-log --files txn-0/{FIRST}.log")
    shown = [json.loads(line) for line in out.splitlines()]
    assert [line["kind"] for line in shown[:3]] == ["log", "batch", "record"]
    assert shown[2]["key"] == "k0"
    assert shown[1]["deleteHorizonMs"] is None
    assert {line["file"] for line in shown} == {f"txn-0/{FIRST}.log"}


def test_json_holds_decoded_records_as_objects():
    _, out, _ = dump(f"--json --cluster-metadata-decoder --files {METADATA}.log --max-bytes 6000")
    payloads = [json.loads(line).get("payload") for line in out.splitlines()]
    assert {"type": "NO_OP_RECORD", "version": 0, "data": {}} in payloads


def test_bytes_that_are_no_number_are_refused():
    integer = "org.apache.kafka.tools.api.IntegerDecoder"
    code, _, errors = dump(f"--key-decoder-class {integer} --files txn-0/{FIRST}.log")
    assert code == 1
    assert "2 bytes are no number of 4; choose another decoder" in errors


def test_a_decoder_that_we_do_not_have_is_refused_with_the_choice():
    code, _, errors = dump(f"--value-decoder-class com.example.Mine --files txn-0/{FIRST}.log")
    assert code == 1
    assert "com.example.Mine: no such decoder; choose of org.apache.kafka" in errors


def test_a_missing_file_is_one_sentence():
    code, _, errors = dump("--files nowhere/00000000000000000000.log")
    assert code == 1
    assert errors.count("\n") == 1
    assert os.sep + FIRST in errors


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ("gone.log", "gone.log: there is no such file"),
        (f"txn-0/{FIRST}.log,gone", "gone: there is no such file"),
        ("gone.txnindex", "gone.txnindex: there is no such file"),
        (f"txn-0/{FIRST}.log/x.log", f"txn-0/{FIRST}.log/x.log: there is no such file"),
        ("txn-0", f"txn-0: it is a directory; name the files in it, such as txn-0/{FIRST}.log"),
        (f"txn-0/{FIRST}.log,", "--files: it names files, with commas between, and not nothing"),
    ],
)
def test_a_file_that_cannot_be_dumped_is_one_sentence(files, sentence):
    code, _, errors = dump(f"--files {files}")
    assert (code, errors) == (1, f"moldau dump-log: {sentence}\n")


@pytest.mark.parametrize("kind", ["log", "timeindex", "txnindex", "snapshot"])
def test_an_empty_file_is_reported_as_empty(tmp_path, kind):
    path = tmp_path / f"{FIRST}.{kind}"
    path.touch()
    _, _, errors = dump(f"--files {path}")
    assert errors.startswith(f"{path} is empty\n")


def test_an_empty_index_is_reported_as_empty_where_kafkas_tool_says_it(tmp_path):
    path = tmp_path / f"{FIRST}.index"
    path.touch()
    _, out, errors = dump(f"--files {path}")
    assert f"{path} is empty." in out
    assert errors == ""


def test_a_file_that_loops_is_one_sentence(tmp_path):
    (tmp_path / "loop.log").symlink_to("loop.log")
    code, _, errors = dump(f"--files {tmp_path}/loop.log")
    assert code == 1
    assert "a link that leads back to itself" in errors
    assert errors.count("\n") == 1


@pytest.fixture
def encrypted(tmp_path, monkeypatch):
    """An encrypted batch in a partition's directory, and a file of keys beside it."""
    keys, folder = tmp_path / "keys", tmp_path / "orders-0"
    keys.write_text(f"orders.1 = {'A' * 43}=\n")
    (tmp_path / "other.properties").write_text(NODE)
    own = f"moldau.encryption.at.rest.key.file={keys}\n"
    (tmp_path / "node.properties").write_text(NODE + own)
    folder.mkdir()
    random, plain = SeededRandom(1), batch(0, (b"4111",))
    ring = Keyring(KeyFile(SystemFiles(), str(keys), random), SystemClock(), random)
    stored = ring.encrypt("orders-0", "orders", plain, read_header(plain))
    (folder / f"{FIRST}.log").write_bytes(stored)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("flag", ["--encryption-key-file keys", "--config node.properties"])
def test_encrypted_records_are_shown_with_the_nodes_keys(encrypted, flag):
    code, out, errors = dump(f"--print-data-log --files orders-0/{FIRST}.log {flag}")
    assert (code, errors) == (0, "")
    assert out.rstrip().endswith("payload: 4111")


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ("", "the batch at offset 0 is encrypted; give --encryption-key-file, or --config"),
        ("--encryption-key-file gone", "gone: "),
        ("--encryption-key-file orders-0", "orders-0: "),
        ("--config other.properties", "other.properties has neither moldau.encryption.at.rest.key"),
    ],
)
def test_without_keys_encrypted_records_are_one_sentence(encrypted, flags, sentence):
    code, _, errors = dump(f"--print-data-log --files orders-0/{FIRST}.log {flags}")
    assert code == 1
    assert sentence in errors
    assert errors.count("\n") == 1
    assert "AAAA" not in errors


def test_an_encrypted_file_that_was_copied_takes_its_partitions_name(encrypted, tmp_path):
    (tmp_path / "orders-0").rename(tmp_path / "copies")
    words = f"--print-data-log --files copies/{FIRST}.log --encryption-key-file keys"
    code, _, errors = dump(words)
    assert (code, errors.count("\n")) == (1, 1)
    assert errors.endswith("; name its partition with --partition\n")
    assert "payload: 4111" in dump(f"{words} --partition orders-0")[1]
