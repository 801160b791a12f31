"""`moldau pipeline`, as far as it goes without Spark."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from tests.judges.java_for_spark import need_java

RUN = ("run", "etl", "--bootstrap", "h:1", "--topic", "t", "--lake", "l", "--checkpoint", "c")


def said(*arguments):
    out, errors = StringIO(), StringIO()
    world = World(
        files=SimulatedFiles(),
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
def test_the_list_has_every_pipeline_and_setting():
    code, text = said("list")
    assert code == 0
    assert text.startswith("etl  any topic")
    assert "    size_max = 1048576\n" in text


@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("demo", "elt"), "there is no pipeline 'elt'"),
        (("demo", "etl", "--master", "k8s://https://h"), "a demo keeps its node and its tables on"),
        ((*RUN, "--set", "size=1"), "there is no setting size"),
        ((*RUN, "--conf", "heap"), "--conf takes NAME=VALUE, and not 'heap'"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_before_spark_starts(arguments, sentence):
    code, text = said(*arguments)
    assert code == 1
    assert text.startswith(f"moldau pipeline: {sentence}")
    assert text.count("\n") == 1


@pytest.mark.parametrize(
    ("flag", "text"), [("--records", "-5"), ("--records", "0"), ("--seed", "-1"), ("--seed", "x")]
)
def test_a_number_out_of_bounds_is_wrong_usage(flag, text, capsys):
    with pytest.raises(SystemExit) as ended:
        said("demo", "etl", flag, text)
    assert ended.value.code == 2
    assert f"argument {flag}: '{text}' is no whole number from" in capsys.readouterr().err


@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize("arguments", [RUN, ("demo", "etl")], ids=["run", "demo"])
def test_without_java_it_says_what_to_install(arguments, tmp_path):
    asked = [sys.executable, "-m", "moldau", "pipeline", *arguments]
    told = {name: text for name, text in os.environ.items() if name != "JAVA_HOME"}
    told |= {"PATH": str(tmp_path)}
    found = subprocess.run(asked, env=told, capture_output=True, text=True, check=False)
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
