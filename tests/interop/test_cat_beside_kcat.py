"""`moldau cat` and kcat itself, with the same words at the same node.

What differs by intent: bytes that are no UTF-8 stand as they are in kcat's JSON, which is none
then; `-T` writes the delimiter behind each record, where kcat writes nothing; a delimiter may be
a zero byte; an offset that is none is refused, where kcat begins at 0; the originating broker is
the one that was asked first, where kcat names whichever answered; `-s` with `<` is little-endian
as kcat's help says, where kcat reads it as big; there are no Avro records, for which
`moldau schema` is there.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import uuid
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from moldau.client import Producer
from moldau.client.admin import Admin, NewTopic
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import Command, World
from moldau.programs.tools.main import find_command, parser_for, run_command
from tests.interop.running_node import running_node

KCAT = shutil.which("kcat") or shutil.which("kafkacat")
pytestmark = pytest.mark.skipif(KCAT is None, reason="this machine has no kcat to compare with")
SECONDS_MAX = 60
ORIGIN = re.compile(r"\(from broker .*\)|\"originating_broker\":\{[^}]*\}")
READING = [
    ["-L", "-t", "{topic}"],
    ["-L", "-t", "{topic}", "-J"],
    ["-L", "-J", "-t", "no-such"],
    ["-L", "-t", "no-such"],
    ["-Q", "-t", "{topic}:0:-1", "-t", "{topic}:1:-2"],
    ["-Q", "-t", "{topic}:0:1500", "-t", "{topic}:1:9999"],
    ["-C", "-t", "{topic}", "-e"],
    ["-C", "-t", "{topic}", "-p", "0", "-e"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-c", "2"],
    ["-C", "-t", "{topic}", "-p", "1", "-e", "-q", "-J"],
    ["-C", "-t", "{topic}", "-p", "1", "-e", "-q", "-Z", "-J"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-o", "1"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-o", "-2"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-o", "end"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-o", "s@1500"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-o", "s@0", "-o", "e@1500"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-K:"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-Z", "-K", r"\t", "-D", r"\x7c"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-O", "-u", "-E"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-f", r"%t|%p|%o|%k|%K|%s|%S|%T|%h|%%|%R\n"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-Z", "-f", r"%k|%K|%s|%S\r\t\n"],
    ["-C", "-t", "{topic}", "-p", "1", "-e", "-q", "-Z", "-f", r"%k|%K|%s|%S\n"],
    ["-C", "-t", "{topic}", "-p", "0", "-e", "-q", "-c", "1", "-f", r"a\101\x4z\\\"%t\q\x414\n"],
    ["-C", "-t", "{topic}", "-p", "2", "-e", "-q", "-s", "value=b b >h hc"],
    ["-C", "-t", "{topic}", "-p", "2", "-e", "-q", "-s", "i", "-f", r"%k %s %S\n"],
    ["-C", "-t", "{topic}", "-p", "1", "-e", "-q", "-J", "-s", "b"],
]
REFUSED = [
    ["-C", "-t", "{topic}", "-p", "9", "-e"],
    ["-C", "-t", "{topic}", "-e", "-f", "%z"],
    ["-C", "-t", "{topic}", "-p", "2", "-e", "-s", "q"],
    ["-C", "-t", "{topic}", "-p", "2", "-e", "-s", "i$"],
    ["-C", "-t", "{topic}", "-e", "-s", "z"],
    ["-C", "-t", "no-such", "-e"],
    ["-C", "-t", "{topic}", "-e", "-o", "stored"],
    ["-C"],
    ["-Q", "-t", "{topic}"],
    ["-Q", "-t", "no-such:0:-1"],
    ["-P", "-t", "{topic}", "-p", "0", "-z", "frog"],
    ["-P", "-t", "{topic}", "-p", "0", "-l", "/no/such/file"],
]
WRITING = [
    ("a\nb\n\nc", []),
    ("a:1\nb:\n:c\nd\n", ["-K:"]),
    ("a:1\nb:\n:c\nd\n", ["-K:", "-Z"]),
    ("a:1\nd\n", ["-K:", "-k", "kk"]),
    ("x\n", ["-k", "kk", "-H", "a=1", "-H", "b", "-H", "c=", "-H", "d=e=f"]),
    ("a,b,,c,", ["-D,"]),
    ("a,b\n", ["-D,"]),
    ("aXYbXYc\n", ["-D", "XY"]),
    ("a\r\nb\n", ["-c", "1"]),
    ("q\n", ["-z", "zstd"]),
]


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kcat")
    with running_node(folder, auto_create_topics_enable="false") as bootstrap:
        yield bootstrap


def made(node: str, partitions: int) -> str:
    name = f"topic-{uuid.uuid4().hex[:12]}"
    configs = {"retention.ms": "-1"}  # records from 1970 stay
    wanted = NewTopic(name, partitions=partitions, replication_factor=1, configs=configs)
    with Admin(node) as admin:
        admin.create_topics([wanted]).all()
    return name


@pytest.fixture(scope="module")
def topic(node):
    name = made(node, 3)
    headers = [("h", b"1"), ("n", None), ("e", b"")]
    with Producer(node) as producer:
        producer.send(name, b"one", key=b"k", partition=0, timestamp=1000)
        producer.send(name, None, key=b"k", partition=0, timestamp=2000)
        text = 'a"\n\x01ž'.encode() + b"\xff"
        producer.send(name, text, key=b"", partition=0, timestamp=3000, headers=headers)
        producer.send(name, b"", partition=1, timestamp=3000, headers=headers)
        producer.send(name, 'a"\n\x01ž'.encode(), key=b"", partition=1, timestamp=3001)
        producer.send(name, b"\xff\x02\x03\x04\x05\x06A", key=b"\0\0\1\0", partition=2)
    return name


def of_kcat(node: str, words: list[str], typed: str = "") -> tuple[int, bytes, str]:
    assert KCAT is not None
    done = subprocess.run(
        [KCAT, "-b", node, *words], input=typed.encode(), capture_output=True, timeout=SECONDS_MAX
    )
    return done.returncode, done.stdout, done.stderr.decode()


def of_ours(node: str, words: list[str], typed: str = "") -> tuple[int, bytes, str]:
    raw, errors = BytesIO(), StringIO()
    world = World(
        files=SystemFiles(),
        clock=SystemClock(),
        random=SystemRandom(),
        out=TextIOWrapper(raw, encoding="utf-8", write_through=True),
        errors=errors,
        typed=BytesIO(typed.encode()),
    )
    code = run_command(["cat", "-b", node, *words], world)
    world.out.flush()
    return code, raw.getvalue(), errors.getvalue()


def lines(data: bytes) -> list[bytes]:
    """Partitions come in any order."""
    return sorted(ORIGIN.sub("", data.decode("latin-1")).encode("latin-1").splitlines())


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_what_is_read_is_shown_alike(node, topic, words):
    given = [word.replace("{topic}", topic) for word in words]
    theirs, ours = of_kcat(node, given), of_ours(node, given)
    assert (ours[0], lines(ours[1])) == (theirs[0], lines(theirs[1]))
    remarks = [
        sorted(
            re.sub(": exiting", "", line) for line in one[2].splitlines() if "Reached end" in line
        )
        for one in (ours, theirs)
    ]
    assert remarks[0] == remarks[1]


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_what_cannot_be_done_has_its_exit_code_and_one_sentence(node, topic, words):
    given = [word.replace("{topic}", topic) for word in words]
    theirs, ours = of_kcat(node, given), of_ours(node, given)
    assert ours[0] == theirs[0] == 1
    assert ours[2].count("\n") == 1


@pytest.mark.parametrize(("typed", "words"), WRITING)
def test_what_is_written_becomes_the_same_records(node, typed, words):
    topic = made(node, 2)
    for part, call in ((0, of_kcat), (1, of_ours)):
        done = call(node, ["-P", "-t", topic, "-p", str(part), *words], typed)
        assert (done[0], done[1], done[2]) == (0, b"", "")
    form = r"[%K %k|%S %s|%h]\n"
    theirs, ours = (
        of_kcat(node, ["-C", "-t", topic, "-p", part, "-e", "-q", "-f", form]) for part in "01"
    )
    assert theirs[1]
    assert ours == theirs


def test_a_pipe_is_sent_without_being_asked_to(node):
    topic = made(node, 2)
    for part, call in ((0, of_kcat), (1, of_ours)):
        done = call(node, ["-t", topic, "-p", str(part)], "a\n")
        assert done == (0, b"", "% Auto-selecting Producer mode (use -P or -C to override)\n")
    assert of_kcat(node, ["-Q", "-t", f"{topic}:1:-1"])[1] == f"{topic} [1] offset 1\n".encode()


def test_a_group_reads_the_same(node, topic):
    words = ["-e", "-q", "-X", "auto.offset.reset=earliest", "-f", r"%p:%o\n", topic]
    theirs = of_kcat(node, ["-G", f"theirs-{topic}", *words])
    ours = of_ours(node, ["-G", f"ours-{topic}", "-c", "6", *words])
    assert (ours[0], lines(ours[1])) == (theirs[0], lines(theirs[1]))


def test_every_flag_of_kcats_is_one_of_ours():
    shown = subprocess.run([str(KCAT), "-h"], capture_output=True, text=True, timeout=SECONDS_MAX)
    theirs = set(re.findall(r"^  (-[A-Za-z]) ", shown.stdout + shown.stderr, re.MULTILINE))
    theirs |= {"-P", "-L", "-Q"}
    command = find_command("cat")
    assert isinstance(command, Command)
    ours = {name for action in parser_for(command)._actions for name in action.option_strings}
    assert theirs - ours == set()
