"""The harness from outside: its words, its refusals, and one case for real."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from bench.versus import machine
from bench.versus.__main__ import main, parsed
from bench.versus.cases import all_cases
from bench.versus.figures import result_of
from bench.versus.model import MEASURES
from bench.versus.processes import SetupError
from bench.versus.rounds import Rounds
from bench.versus.whole_run import chosen


def test_cases_are_listed_with_what_they_ask(capsys):
    assert main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [case.name for case in all_cases()]


def test_names_of_cases_are_unlike_and_their_goals_bound_known_measures():
    cases = all_cases()
    assert len({case.name for case in cases}) == len(cases)
    assert {goal.measure for case in cases for goal in case.goals} <= MEASURES.keys()


def test_all_cases_together_keep_within_the_time_of_a_full_run():
    assert sum(case.budget_s for case in chosen([])) <= 24 * 60


def test_cases_of_three_nodes_run_by_their_names_alone():
    assert {case.nodes for case in chosen([])} == {1}
    assert {case.nodes for case in chosen(["three-nodes"])} == {3}
    assert [case.name for case in chosen(["three-idle", "start"])] == ["three-idle", "start"]


def test_cases_with_tls_run_by_their_names_alone():
    secured = {case.name for case in chosen(["secured"])}
    assert {"tls-logins", "rules-10000"} <= secured
    assert not secured & {case.name for case in chosen([])}


def test_cases_run_in_the_order_in_which_they_were_named():
    assert [case.name for case in chosen(["one-record", "produce-64k"])] == [
        "one-record",
        "produce-64k",
    ]


def test_an_unknown_case_is_refused_in_one_sentence():
    with pytest.raises(SetupError, match=r"^There is no case fly: --list shows them\.$"):
        chosen(["fly"])


@pytest.mark.parametrize("words", [["--publish", "--quick"], ["one-record", "--publish"]])
def test_only_a_full_run_is_published(words, capsys):
    with pytest.raises(SystemExit):
        parsed(words)
    assert "only a full run is published" in capsys.readouterr().err


def test_plain_python_is_not_published(monkeypatch, capsys, tmp_path):
    """What is published is what `pip install` makes."""
    monkeypatch.setattr("bench.versus.__main__.find_kafka_libs", lambda: tmp_path)
    monkeypatch.setattr(machine, "check_requirements", lambda *_needs: None)
    monkeypatch.setattr(machine, "is_compiled", lambda: False)
    assert main(["--publish", "--work", str(tmp_path)]) == 1
    assert "only compiled modules are published" in capsys.readouterr().err


def test_too_little_disk_is_an_error_before_anything_starts(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "LEAST_FREE_BYTES", 10**18)
    with pytest.raises(SetupError, match=r"GB free and .* GB are needed: name another folder"):
        machine.check_requirements(tmp_path, 1.0)


def test_a_missing_client_is_an_error_before_anything_starts(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "find_spec", lambda _name: None)
    with pytest.raises(SetupError, match="confluent-kafka is not installed"):
        machine.check_requirements(tmp_path, 0.01)


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(400)
@pytest.mark.skipif(
    importlib.util.find_spec("confluent_kafka") is None, reason="confluent-kafka is not installed"
)
@pytest.mark.parametrize("name", ["produce-64k", "consume-warm", "one-record"])
def test_a_case_measures_both_sides_and_the_floor(name, tmp_path, kafka_libs):
    rounds = Rounds(tmp_path, kafka_libs, rounds=1, scale=0.02)
    try:
        found = rounds.run(chosen([name])[0], lambda line: print(line, file=sys.stderr))
    finally:
        rounds.end()
    assert not found.failure
    case = result_of(found)
    assert all(one.their_median > 0 and one.our_median > 0 for one in case.compared)
    assert any(one.floor for one in case.compared)
    assert {goal.measure for goal in found.case.goals} <= {one.measure for one in case.compared}
    assert [path.name for path in tmp_path.glob("node-*")] == []
