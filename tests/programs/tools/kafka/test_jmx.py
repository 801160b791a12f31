"""`moldau jmx` at a node with a page of metrics; what it prints has Java's forms.

Java's forms were taken from its tool of 4.3.1 at the beans of a Java program.
"""

from __future__ import annotations

import shlex
from io import StringIO

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.jmx import _java_text
from moldau.programs.tools.main import run_command
from moldau.testing import Node

STATE = "kafka.server:type=KafkaServer,name=BrokerState"
PARTITIONS = "kafka.server:type=ReplicaManager,name=PartitionCount"


@pytest.fixture(scope="module")
def url():
    with Node(metrics_port=0) as node:
        yield f"http://{node.node.metrics_address}/jolokia"


class Waited(Exception):
    """The time between two reports has come."""


def jmx(words, wait=None):
    """Code, what was printed, and errors."""
    out, errors = StringIO(), StringIO()
    world = World(
        files=SystemFiles(),
        clock=SystemClock(),
        random=SystemRandom(),
        out=out,
        errors=errors,
        wait=wait or (lambda seconds: None),
    )
    return run_command(["jmx", *shlex.split(words)], world), out.getvalue(), errors.getvalue()


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        ("original", ['"time","{0}:Value","{1}:Value"', "0,{2},{3}"]),
        ("csv", ['time,"0"', '{0}:Value,"{2}"', '{1}:Value,"{3}"']),
        ("tsv", ["time\t0", "{0}:Value\t{2}", "{1}:Value\t{3}"]),
        ("properties", ["time=0", "{0}:Value={2}", "{1}:Value={3}"]),
    ],
)
def test_attributes_are_printed_in_javas_forms(url, form, lines):
    code, out, errors = jmx(
        f"--jmx-url {url} --object-name {PARTITIONS} --object-name '{STATE},*' --attributes Value "
        f"--one-time --date-format 'SSS' --report-format {form}"
    )
    assert code == 0, errors
    assert errors.startswith(f"Trying to connect to JMX url: {url}\n")
    found = out.splitlines()
    time = found[1].partition(",")[0] if form == "original" else found[0][-4:].strip('"=\t')
    wanted = [line.format(STATE, PARTITIONS, 3, 0) for line in lines]
    place = 1 if form == "original" else 0
    assert found[:place] + found[place + 1 :] == wanted[:place] + wanted[place + 1 :]
    assert time.strip('"').isdigit()


def test_it_reports_until_it_is_interrupted(url):
    waits = []

    def wait(seconds):
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    code, out, _ = jmx(f"--jmx-url {url} --object-name {STATE} --reporting-interval 500", wait)
    assert (code, len(out.splitlines())) == (0, 4)
    assert all(0 <= seconds <= 0.5 for seconds in waits)


@pytest.mark.parametrize("words", ["--one-time", "--one-time true", "--reporting-interval -1"])
def test_one_report_is_enough_where_that_is_set(url, words):
    code, out, _ = jmx(f"--jmx-url {url} --object-name {STATE} {words}")
    assert (code, len(out.splitlines())) == (0, 2)


def test_every_bean_is_shown_where_none_is_named(url):
    code, out, _ = jmx(f"--jmx-url {url} --one-time true --report-format properties")
    assert code == 0
    assert f"{STATE}:Value=3" in out.splitlines()
    assert len(out.splitlines()) > 200


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "--object-name a:type=None",
            "No matched attributes for the queried objects [a:type=None].",
        ),
        ("--object-name nonsense", "nonsense"),
        (f"--object-name {STATE} --reporting-interval x", "Cannot parse argument 'x'"),
    ],
)
def test_what_cannot_be_read_is_named(url, words, message):
    code, _, errors = jmx(f"--jmx-url {url} --one-time {words}")
    assert code == 1
    assert message in errors
    assert "Traceback" not in errors


def test_beans_are_waited_for(url):
    class Quick:
        """Three seconds later at each look."""

        def __init__(self):
            self.ms = 0

        def now_ms(self):
            self.ms += 3000
            return self.ms

        def monotonic_ns(self):
            return self.ms * 1_000_000

    out, errors = StringIO(), StringIO()
    world = World(files=SystemFiles(), clock=Quick(), random=SystemRandom(), out=out, errors=errors)
    words = ["jmx", "--jmx-url", url, "--object-name", "a:type=None", "--wait"]
    assert run_command(words, world) == 1
    assert "Could not find all requested object names after 10000 ms. Missing a:type=None" in (
        errors.getvalue()
    )


def test_rmi_is_refused_with_the_remedy():
    code, _, errors = jmx("--jmx-url service:jmx:rmi:///jndi/rmi://:9999/jmxrmi")
    assert code == 1
    assert "--metrics-port" in errors


def test_a_page_that_is_not_there_is_named():
    code, _, errors = jmx("--jmx-url http://127.0.0.1:1/jolokia --one-time")
    assert code == 1
    assert "Could not connect to JMX url: http://127.0.0.1:1/jolokia" in errors


def test_values_are_written_as_java_writes_them():
    written = [_java_text(one) for one in (True, 3, 2.0, None, "s")]
    assert written == ["true", "3", "2.0", "NaN", "s"]
