"""The words of `./dev`."""

from __future__ import annotations

import ast
import subprocess
import sys
from io import StringIO

import pytest

from devtools import commands
from devtools.environment import PYTHON, Level
from tests.tidy.source import ROOT

DEV = ROOT / "dev"


@pytest.fixture
def levels() -> list[Level]:
    """What would have been installed."""
    return []


@pytest.fixture
def called(monkeypatch, levels):
    """What would have been run in `.venv`: arguments and additions to the environment."""
    calls = []
    monkeypatch.setattr(commands, "ensure_environment", levels.append)
    monkeypatch.setattr(commands, "remove_stale", lambda: True)

    def pretend(*arguments, **environment):
        calls.append((arguments, environment))
        return 0

    monkeypatch.setattr(commands, "_python", pretend)
    return calls


def test_every_word_is_in_the_help():
    text = ast.get_docstring(ast.parse(DEV.read_text())) or ""
    assert [word for word in commands.WORDS if f"./dev {word}" not in text] == []


def test_an_unknown_word_prints_the_help_and_is_wrong_usage(called, capsys):
    assert commands.run(["fly"], "the help") == 2
    assert capsys.readouterr().out == "the help\n"
    assert called == []


@pytest.mark.parametrize("option", commands.HELP)
@pytest.mark.parametrize("word", commands.WORDS)
def test_every_word_explains_itself_and_does_nothing_else(called, capsys, word, option):
    text = ast.get_docstring(ast.parse(DEV.read_text())) or ""
    assert commands.run([word, option], text) == 0
    line, _, prose = capsys.readouterr().out.partition("\n\n")
    assert line.startswith(f"./dev {word} ")
    assert prose.strip().endswith(".")
    assert called == []


def test_help_behind_another_argument_is_for_the_program_that_gets_the_arguments(called):
    assert commands.run(["bench", "log_open", "--help"], "") == 0
    assert called == [(("-m", "bench.log_open", "--help"), {})]


@pytest.mark.parametrize(
    "arguments",
    [
        *("check --al", "check tests/broker/log", "check --all --all", "check --all -k wire"),
        *(
            "sim 7",
            "sim --seed",
            "sim --seed x",
            "sim quorum",
            "sim quorum x",
            "fmt src",
            "docs now",
            "build all",
        ),
    ],
)
def test_arguments_that_a_word_does_not_take_are_refused_in_one_sentence(called, capsys, arguments):
    assert commands.run(arguments.split(), "") == 2
    word, _, rest = arguments.partition(" ")
    assert capsys.readouterr().err == (
        f"dev {word}: it does not take '{rest}'; ./dev {word} --help shows what it takes.\n"
    )
    assert called == []


def test_no_word_is_a_call_for_help(called):
    assert commands.run([], "the help") == 0


def test_all_tests_run_on_both_cores(called):
    commands.run(["test"], "")
    assert called[0][0][-2:] == ("-n", "2")


def test_chosen_tests_are_found_from_where_they_were_typed(called, monkeypatch):
    monkeypatch.chdir(ROOT / "tests" / "programs" / "tools")
    commands.run(["test", "test_main.py::test_x", "-k", "word"], "")
    assert called[0][0][-3:] == ("tests/programs/tools/test_main.py::test_x", "-k", "word")


def test_all_means_the_long_ones_too(called):
    commands.run(["test", "--all"], "")
    assert called[0][1] == {"MOLDAU_LONG": "1"}


def test_a_simulation_is_repeated_by_its_seed(called):
    commands.run(["sim", "--seed", "7"], "")
    assert "--randomly-seed=7" in called[0][0]


def test_seeds_of_one_kind_of_scenario_are_run_from_one_on(called):
    commands.run(["sim", "quorum", "100", "--seed", "7"], "")
    assert called == [(("-m", "tests.simulation.many_seeds", "quorum", "100", "7"), {})]


def test_many_seeds_without_a_first_one_begin_anywhere(called, monkeypatch):
    monkeypatch.setenv("MOLDAU_SEED", "9")
    commands.run(["sim", "quorum", "100"], "")
    assert called == [(("-m", "tests.simulation.many_seeds", "quorum", "100", "9"), {})]


def test_benchmarks_are_listed_with_what_they_ask(called, capsys):
    assert commands.run(["bench"], "") == 0
    names = {path.stem for path in (ROOT / "bench").glob("[!_]*.py")} | {"clients", "versus"}
    listed = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert {name for name, _says in listed} == names


def test_all_benchmarks_are_those_that_need_no_other_broker(called):
    commands.run(["bench", "all"], "")
    asked = {arguments[1] for arguments, _ in called}
    assert "devtools.hot_modules" in asked
    assert "bench.records" in asked
    assert asked.isdisjoint({"bench.versus", "bench.gate"})


def test_a_benchmark_gets_the_arguments_after_its_name(called):
    commands.run(["bench", "versus", "one-record", "--quick"], "")
    assert called[-1] == (("-m", "bench.versus", "one-record", "--quick"), {})


def test_what_is_measured_is_compiled_before(called):
    commands.run(["bench", "log_open"], "")
    assert [arguments for arguments, _ in called] == [
        ("-m", "devtools.hot_modules"),
        ("-m", "bench.log_open"),
    ]


def test_a_list_of_cases_waits_for_no_compiler(called):
    commands.run(["bench", "versus", "--list"], "")
    assert called == [(("-m", "bench.versus", "--list"), {})]


def test_run_becomes_the_node(called, monkeypatch):
    became = []
    monkeypatch.setattr("os.execv", lambda *arguments: became.append(arguments))
    commands.run(["run", "--port", "1"], "")
    assert became == [(PYTHON, [str(PYTHON), "-m", "moldau", "start", "--port", "1"])]
    assert called == []


def test_a_node_comes_without_the_tools_of_developers(called, levels, monkeypatch):
    monkeypatch.setattr("os.execv", lambda *command: None)
    for word in ("run", "show"):
        commands.run([word], "")
    assert levels == [Level.RUN, Level.RUN]


def test_compiling_needs_its_compiler_and_no_spark(called, levels):
    commands.run(["build"], "")
    assert levels == [Level.BUILD]


@pytest.mark.parametrize("word", ["check", "test", "fmt", "bench", "sim", "docs"])
def test_every_other_word_comes_with_the_tools(called, levels, monkeypatch, word):
    monkeypatch.setattr(commands, "check", lambda everything: 0)
    commands.run([word], "")
    assert levels == [Level.CHECK]


def test_an_interrupted_installation_is_no_traceback(called, monkeypatch):
    def interrupt(level):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "ensure_environment", interrupt)
    assert commands.run(["run"], "") == commands.INTERRUPTED


def test_a_signal_to_dev_ends_the_node(tmp_path):
    with subprocess.Popen(
        [DEV, "run", "--port", "0"], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as node:
        assert node.stdout is not None
        assert node.stdout.readline().startswith("moldau: ready on ")
        node.terminate()
        assert node.wait(timeout=60) == 0
    assert (tmp_path / "moldau-data").is_dir()


def test_dev_is_executable_and_starts_from_any_folder(tmp_path):
    done = subprocess.run([DEV, "--help"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "./dev check" in done.stdout


def test_an_older_python_is_refused_in_one_sentence():
    code = f"import sys; sys.version_info = (3, 9, 0); exec(open({str(DEV)!r}).read())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "Moldau needs Python 3.11 or newer; this is 3.9.\n"


def test_a_reader_who_leaves_is_no_matter_to_talk_about(called, monkeypatch, capsys):
    def complain(*_):
        raise BrokenPipeError

    monkeypatch.setitem(commands.WORDS, "run", complain)
    monkeypatch.setattr("sys.stdout", StringIO())
    assert commands.run(["run"], "") == 1
    assert capsys.readouterr().err == ""
