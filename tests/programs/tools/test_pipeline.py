"""`moldau pipeline`, as far as it goes without Spark."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO

import pytest

from moldau.platform.ports.files import replace_whole
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from tests.judges.java_for_spark import need_java

RUN = ("run", "etl", "--bootstrap", "h:1", "--topic", "t", "--lake", "l", "--checkpoint", "c")
RUN_TELEMETRY = ("run", "telemetry", *RUN[2:])
RUN_FRAUD = ("run", "fraud", *RUN[2:])

DECLARED = b"""
pipeline: p
source: {topic: t}
lake: l
steps: [{name: a, sql: select * from records}]
sinks: [{table: b, rows: a}]
"""


def pipeline(*arguments, declared=None):
    out, errors = StringIO(), StringIO()
    files = SimulatedFiles()
    if declared is not None:
        replace_whole(files, "p.yaml", declared)
    world = World(
        files=files,
        clock=SimulatedClock(),
        random=SeededRandom(1),
        out=out,
        errors=errors,
    )
    code = run_command(["pipeline", *arguments], world)
    return code, out.getvalue() + errors.getvalue()


@pytest.fixture
def extra():
    pytest.importorskip("deltalake", reason="moldau[spark] is not installed")
    pytest.importorskip("pyspark", reason="moldau[spark] is not installed")


@pytest.mark.usefixtures("extra")
def test_the_list_has_a_line_for_every_pipeline():
    code, text = pipeline("list")
    assert (code, text.count("\n")) == (0, 8)
    assert text.startswith("etl          any topic of JSON")


@pytest.mark.usefixtures("extra")
def test_a_pipeline_is_shown_with_its_tables_and_settings():
    code, text = pipeline("show", "etl")
    assert (code, text.splitlines()[:4]) == (
        0,
        [
            "etl  any topic of JSON, CSV or bytes into bronze, silver and gold tables",
            "tables  bronze, silver, dead_letters, reconciliation, gold",
            "settings  what --set changes",
            "    group_by = (nothing)",
        ],
    )
    assert "    size_max = 1048576\n        bytes; a larger value" in text
    assert pipeline("show", "elt")[1].startswith("moldau pipeline: there is no pipeline 'elt'")


@pytest.mark.usefixtures("extra")
def test_a_declared_pipeline_is_drawn():
    code, text = pipeline("show", "--file", "p.yaml", declared=DECLARED)
    assert (code, text.splitlines()[-2:]) == (
        0,
        ["   └─ a  select * from records", "      └─ table b"],
    )
    code, text = pipeline("show", "--file", "p.yaml", "--mermaid", declared=DECLARED)
    assert (code, text.splitlines()[0]) == (0, "graph LR")


@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("show", "--file", "q.yaml"), "there is no file q.yaml"),
        (("run", "--file", "p.yaml"), "give --bootstrap, or bootstrap in p.yaml"),
        (("run", "etl", "--bootstrap", "h:1"), "has no topic: give --topic"),
        (
            ("run", "--file", "p.yaml", "--bootstrap", "h:1", "--checkpoint", "c", "--set", "x=1"),
            "there is no setting x",
        ),
    ],
)
def test_what_a_run_lacks_is_one_sentence(arguments, sentence):
    code, text = pipeline(*arguments, declared=DECLARED)
    assert (code, text.count("\n")) == (1, 1)
    assert sentence in text


@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("demo", "elt"), "there is no pipeline 'elt'"),
        (("demo", "etl", "--master", "k8s://https://h"), "a demo keeps its node and its tables on"),
        ((*RUN, "--set", "size=1"), "there is no setting size"),
        ((*RUN_TELEMETRY, "--set", "resolutions_s=1m"), "resolutions_s are whole numbers of"),
        ((*RUN, "--conf", "heap"), "--conf takes NAME=VALUE, and not 'heap'"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_before_spark_starts(arguments, sentence):
    code, text = pipeline(*arguments)
    assert code == 1
    assert text.startswith(f"moldau pipeline: {sentence}")
    assert text.count("\n") == 1


@pytest.mark.usefixtures("extra")
def test_a_model_that_is_missing_is_one_sentence_before_spark_starts():
    pytest.importorskip("sklearn", reason="moldau[fraud] is not installed")
    code, text = pipeline(*RUN_FRAUD, "--set", "model=/no/such.pickle")
    assert (code, text.count("\n")) == (1, 1)
    assert text.startswith("moldau pipeline: the model /no/such.pickle cannot be read: ")


@pytest.mark.parametrize(
    ("flag", "text"), [("--records", "-5"), ("--records", "0"), ("--seed", "-1"), ("--seed", "x")]
)
def test_a_number_out_of_bounds_is_wrong_usage(flag, text, capsys):
    with pytest.raises(SystemExit) as ended:
        pipeline("demo", "etl", flag, text)
    assert ended.value.code == 2
    assert f"argument {flag}: '{text}' is no whole number from" in capsys.readouterr().err


@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize("arguments", [RUN, ("demo", "etl")], ids=["run", "demo"])
def test_without_java_it_says_what_to_install(arguments, tmp_path):
    asked = [sys.executable, "-m", "moldau", "pipeline", *arguments]
    variables = {name: text for name, text in os.environ.items() if name != "JAVA_HOME"}
    variables |= {"PATH": str(tmp_path)}
    found = subprocess.run(asked, env=variables, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.startswith("moldau pipeline: Spark needs Java 17 or later and none was")
    assert found.stderr.count("\n") == 1


@pytest.mark.usefixtures("extra")
def test_a_broker_that_is_not_there_is_one_sentence_before_spark_starts(tmp_path):
    need_java()
    asked = [sys.executable, "-m", "moldau", "pipeline", *RUN]
    asked[asked.index("h:1")] = "127.0.0.1:1"
    found = subprocess.run(
        [*asked, "--source", "kafka.default.api.timeout.ms=300"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.startswith("moldau pipeline: no broker answers: cannot reach 127.0.0.1:1")
    assert found.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_it_says_what_to_install():
    program = "import sys; sys.modules['deltalake'] = sys.modules['pyspark'] = None; "
    program += "from moldau.programs.tools.main import main; sys.exit(main())"
    asked = [sys.executable, "-c", program, "pipeline", "list"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "pip install '.[spark]'" in found.stderr
