"""`moldau keys`: what it makes nodes take, what it refuses, and that it prints no key."""

from __future__ import annotations

import json
from io import StringIO

import pytest

from moldau.broker.log.encryption.key_file import KeyFile
from moldau.broker.log.encryption.keyring import Keyring
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from moldau.protocol.records.batch import read_header
from tests.broker.log.batches import batch

FILE = "etc/keys"
SETTINGS = f"""
process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
controller.quorum.voters=1@localhost:9093
listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093
log.dirs=data
moldau.encryption.at.rest.key.file={FILE}
"""


class Keys:
    """The command on a simulated disk."""

    def __init__(self) -> None:
        self.files = SimulatedFiles()
        self.random = SeededRandom(1)
        self.files.make_directory("etc")
        self.files.make_directory("data/orders-0")
        self.files.open("node.properties", create=True).append(SETTINGS.encode())

    def run(self, words: str) -> tuple[int, str, str]:
        out, errors = StringIO(), StringIO()
        clock = SimulatedClock()
        world = World(files=self.files, clock=clock, random=self.random, out=out, errors=errors)
        code = run_command(["keys", *words.split()], world)
        return code, out.getvalue(), errors.getvalue()

    def text(self) -> str:
        return self.files.open(FILE).read_at(0, 10_000).decode()

    def store(self) -> None:
        """A batch of orders as a node would encrypt it now."""
        clock, plain = SimulatedClock(), batch(0, (b"x",))
        ring = Keyring(KeyFile(self.files, FILE, self.random), clock, self.random)
        stored = ring.encrypt("orders-0", "orders", plain, read_header(plain))
        path = f"data/orders-0/{len(self.files.list('data/orders-0')):020}.log"
        self.files.open(path, create=True).append(stored)


@pytest.fixture
def keys():
    made = Keys()
    assert made.run(f"create orders --file {FILE}") == (0, f"{FILE} has orders.1\n", "")
    return made


def test_a_key_is_made_rotated_and_retired_when_no_segment_needs_it(keys):
    keys.store()
    assert keys.run("rotate orders --config node.properties")[1] == f"{FILE} has orders.2\n"
    keys.store()
    assert keys.run("list --config node.properties")[1].splitlines() == [
        "KEY       ENCRYPTS  BATCHES  SIZE   TOPICS",
        "orders.1  no              1  170 B  orders",
        "orders.2  yes             1  170 B  orders",
    ]
    code, _, errors = keys.run("retire orders.1 --config node.properties")
    assert (code, errors.count("\n")) == (1, 1)
    assert "orders.1 stays: 1 batches of orders need it" in errors
    keys.files.remove(f"data/orders-0/{0:020}.log")
    assert keys.run("retire orders.1 --config node.properties")[0] == 0
    assert keys.run("list --config node.properties")[1].count("orders.1") == 0
    assert "# orders.1 is retired" in keys.text()


def test_json_has_the_same_and_what_the_file_lacks(keys):
    keys.store()
    assert keys.run(f"retire orders.1 --file {FILE} --force")[0] == 0
    created = json.loads(keys.run(f"create others --file {FILE} --json")[1])
    assert created == {"file": FILE, "created": "others.1"}
    shown = json.loads(keys.run("list --config node.properties --json")[1])
    assert shown == {
        "file": FILE,
        "keys": [{"key": "others.1", "encrypts": True, "batches": 0, "bytes": 0, "topics": []}],
        "missing": ["orders.1"],
    }
    assert "the file lacks it" in keys.run("list --config node.properties")[1]


def test_rows_have_sizes_as_numbers(keys):
    keys.store()
    rows = json.loads(keys.run("list --config node.properties --output json")[1])
    assert rows == [
        {"key": "orders.1", "encrypts": "yes", "batches": 1, "size": 170, "topics": ["orders"]}
    ]
    assert keys.run(f"list --file {FILE} --output csv")[1] == "key,encrypts\norders.1,yes\n"


def test_no_key_is_ever_printed(keys):
    keys.run(f"rotate orders --file {FILE}")
    printed = [
        keys.run(words)
        for words in (
            f"list --file {FILE}",
            f"list --file {FILE} --json",
            f"list --file {FILE} --log-dirs data --json",
            f"create orders --file {FILE}",
            f"retire orders.2 --file {FILE}",
            f"rotate new --file {FILE} --json",
        )
    ]
    secrets = [line.rpartition(" = ")[2] for line in keys.text().splitlines()]
    assert len(secrets) == 2
    assert not [secret for secret in secrets if secret[:8] in str(printed)]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("create orders", "has orders already; rotate makes another version"),
        ("rotate others", "has no key others; create makes its first version"),
        ("create a.b", "'a.b' names no key"),
        ("create", "keys create takes a NAME"),
        ("list orders", "keys list takes no NAME"),
        ("retire orders.1", "it is the version that encrypts; --force"),
        ("retire orders.7", "has no key orders.7; write name.version"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(keys, words, sentence):
    before = keys.text()
    code, out, errors = keys.run(f"{words} --file {FILE}")
    assert (code, out, errors.count("\n")) == (1, "", 1)
    assert sentence in errors
    assert keys.text() == before


def test_a_key_whose_use_was_not_looked_for_stays(keys):
    keys.run(f"rotate orders --file {FILE}")
    code, _, errors = keys.run(f"retire orders.1 --file {FILE}")
    assert code == 1
    assert "without --config or --log-dirs it is unknown whether segments need it" in errors


def test_settings_without_a_file_of_keys_and_a_file_that_is_not_there_are_named(keys):
    bare = SETTINGS.replace("moldau.encryption", "#")
    keys.files.open("bare.properties", create=True).append(bare.encode())
    assert (
        "has no moldau.encryption.at.rest.key.file" in keys.run("list --config bare.properties")[2]
    )
    assert "gone" in keys.run("list --file gone")[2]


def test_a_dry_run_leaves_the_file_as_it_is():
    keys = Keys()
    code, shown, _ = keys.run(f"create orders --file {FILE} --dry-run")
    assert (code, shown) == (0, f"DRY RUN: {FILE} has orders.1\n")
    assert keys.files.status(FILE) is None
    keys.run(f"create orders --file {FILE}")
    before = keys.text()
    assert keys.run(f"rotate orders --file {FILE} --dry-run")[0] == 0
    assert keys.run(f"retire orders.1 --file {FILE} --force --dry-run")[0] == 0
    assert keys.text() == before
