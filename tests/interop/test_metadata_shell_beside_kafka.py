"""Our shell for metadata beside Kafka's, in which the same lines are typed.

Four differences: Kafka's shell leaves out the default entity of a quota, and then cannot find
what it lists; it does not list the settings of groups; `help` is justified to the right; and the
tabulator ends a word behind an open quotation mark.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from moldau.broker.metadata.snapshot import image_records
from moldau.broker.metadata.snapshot_file import SnapshotFields, encode_snapshot
from tests.broker.metadata.rich_image import rich_image
from tests.judges.kafka_jars import MissingJudge, find_shell_libs
from tests.programs.tools.terminal import Terminal

pytestmark = [pytest.mark.judge, pytest.mark.long]

TIMEOUT_S = 100
TRIES = 12
FIELDS = SnapshotFields(epoch=1, created_ms=1_700_000_000_120, last_contained_ms=1)
LINES = r"""
ls
ls /image
ls image/topics/byName local
ls /image/topics/*
ls /image/topics/byName/*
ls /image/topics/byName/orders/0
ls /image/topics/byName/*/0
ls image/{acls,scram} nothing local
ls image/{acls
ls / /image
ls image image/producerIds/nextProducerId
ls image/topics/byName/o?ders
ls image/topics/byName/orders{,-2}
ls 'image/topics' ""
find image/producerIds local/
find nothing image/scram/../acls
find /image/topics
cat image/producerIds/nextProducerId image/provenance
cat image nothing
cat image/topics/byName/*/id
cat image/clientQuotas/*/*
tree image/acls image/clientQuotas nothing
tree image/cluster image/configs
tree image/delegationToken image/features
tree image/scram image/topics
cat
frob
c
fin
ls -x
ls -- -x
pwd x
history x
ls -h
cat -h
cd nothing
cd image/provenance
cd image
pwd
cd topics/byName/*
pwd
cd ..
find .
cd
pwd
man ls
man history
man frob
man

history 3
exit
ls
"""
ONCE = (
    "ls",
    "ls image/topics/byName/*",
    "cat image/provenance image nothing",
    "tree image/topics",
    "find image/scram",
    "cd image",
    "pwd",
    "man ls",
    "frob",
    "cat",
)
PROMPT = ">> "
COLUMNS = 200
TYPED = (
    "ls im\t",
    "ls im\tto\t",
    "cat image/top\tbyN\tord\t",
    "cat image/topics/byName/orders/\t",
    "l\t",
    "hist\t",
    "c\t",
    "man fi\t",
    "man \t",
    "pwd im\t",
    "cd ima\ttop\t",
    "ls by\t",
    "ls byName/orders/0\t",
    "ls byName/o\tx",
    "ls byName/*\t",
    "ls ../cl\t",
    "ls ./by\t",
    "ls /im\t",
    "find lo\t /lo\t",
    "tree noth\t",
    "hel\t",
)
SHOWN = {
    *("byId/", "byName/", "../clientQuotas/", "../cluster/", "./byId/", "./byName/"),
    *("cat", "cd", "exit", "find", "help", "history", "ls", "man", "pwd", "tree"),
    *(f"image/topics/byName/{name}" for name in ("orders/", "orders-2/", "orders/id", "orders/0")),
}
"""What else comes to the screen are echoes, which each shell writes in its own pieces."""
OWN = ("[ Kafka", "Loading...", "Starting...")


@pytest.fixture(params=["snapshot", "segment"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    image = rich_image()
    names: dict[str, str] = {"snapshot": f"{100:020}-{1:010}.checkpoint", "segment": f"{0:020}.log"}
    folder = tmp_path / "__cluster_metadata-0"
    folder.mkdir()
    found = folder / names[request.param]
    batches = encode_snapshot(image_records(image), image.features.metadata_version, FIELDS)
    found.write_bytes(b"".join(map(bytes, batches)))
    return found


def printed(command: list[str], path: Path) -> list[str]:
    done = subprocess.run(
        [*command, "--snapshot", str(path)],
        input=LINES.lstrip(),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    return [line for line in done.stdout.splitlines() if not line.startswith(OWN)]


@pytest.fixture
def java(tmp_path: Path) -> list[str]:
    try:
        libs = find_shell_libs()
    except MissingJudge as missing:
        pytest.skip(str(missing))
    quiet = tmp_path / "log4j2.properties"
    quiet.write_text("status=off\nrootLogger.level=off\n")
    logging = f"-Dlog4j2.configurationFile={quiet}"
    return ["java", logging, "-cp", f"{libs}/*", "org.apache.kafka.shell.MetadataShell"]


MOLDAU = [sys.executable, "-m", "moldau", "metadata-shell"]


def test_both_shells_answer_alike(path, java):
    assert printed(MOLDAU, path) == printed(java, path)


def answer(program: list[str], path: Path, words: str) -> tuple[int, str, str]:
    command = [*program, "--snapshot", str(path), *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("words", ONCE)
def test_what_is_asked_once_is_answered_alike(path, java, words):
    """Kafka's shell sometimes looks before it has read all, and so it is asked again."""
    ours = answer(MOLDAU, path, words)
    theirs: list[object] = []
    while ours not in theirs:
        assert len(theirs) < TRIES, (ours, theirs)
        theirs.append(answer(java, path, words))


def completed(program: list[str], path: Path) -> tuple[list[str], list[set[str]]]:
    """What a person's lines have become, and which words each tabulator has shown."""
    terminal = Terminal("--snapshot", str(path), program=program, columns=COLUMNS)
    terminal.read_until(lambda text: text.endswith(PROMPT))
    answers = [answered(terminal, line) for line in (*TYPED, "history")]
    terminal.type("exit\n")
    assert terminal.end() == 0
    past = re.findall(r"^ *\d+  (.*?) *$", answers.pop(), re.MULTILINE)
    return past, [SHOWN & set(text.split()) for text in answers]


def answered(terminal: Terminal, line: str) -> str:
    """What came to the screen until the shell asked again."""
    before = len(terminal.text)
    terminal.type(f"{line}\n")
    return terminal.read_until(lambda text: text[before:].endswith(PROMPT))[before:]


def test_the_tabulator_goes_on_alike_and_shows_the_same_words(path, java):
    assert completed(MOLDAU, path) == completed(java, path)
