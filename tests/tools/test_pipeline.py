"""`moldau pipeline`, as far as it goes without Spark."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO

import pytest

from moldau.simulated.clock import SimulatedClock
from moldau.simulated.files import SimulatedFiles
from moldau.simulated.randomness import SeededRandom
from moldau.tools.command import World
from moldau.tools.main import run_command

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


def test_without_the_extra_it_says_what_to_install():
    program = "import sys; sys.modules['deltalake'] = sys.modules['pyspark'] = None; "
    program += "from moldau.tools.main import main; sys.exit(main())"
    asked = [sys.executable, "-c", program, "pipeline", "list"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "pip install 'moldau[spark]'" in found.stderr
