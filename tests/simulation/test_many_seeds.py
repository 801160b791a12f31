"""Many seeds: how far they have got, which ended badly, and that the same seeds do the same."""

from __future__ import annotations

import pytest

from tests.simulation.many_seeds import WRONG_USAGE, Outcome, main, run
from tests.simulation.scenarios import SCENARIOS


def run_of(scenario, seeds: range) -> tuple[Outcome, list[str]]:
    """With what was printed; each look at the clock is a second after the one before."""
    seconds = iter(range(len(seeds) + 2))
    lines: list[str] = []
    return run("fables", scenario, seeds, lines.append, lambda: next(seconds)), lines


def test_each_seed_is_run_once_and_in_order():
    done: list[int] = []
    outcome, lines = run_of(lambda seed: done.append(seed), range(7, 107))
    assert done == list(range(7, 107))
    assert outcome.bad == []
    assert lines[0] == "fables: 5 of 100 seeds in 1 s, 5.00/s; none ended badly"
    assert lines[-1] == "fables: 100 of 100 seeds in 20 s, 5.00/s; none ended badly"


def test_fewer_seeds_than_lines_have_a_line_each():
    assert len(run_of(lambda seed: None, range(3))[1]) == 3


def test_a_scenario_that_ends_badly_is_named_and_the_others_go_on():
    def scenario(seed: int) -> str:
        assert seed not in (4, 6), "the record is lost"
        return "mark"

    outcome, lines = run_of(scenario, range(3, 8))
    assert outcome.bad == [4, 6]
    assert "AssertionError: the record is lost" in lines[1]
    assert lines[2] == "seed 4 ends badly; repeat it: ./dev sim fables 1 --seed 4"
    assert lines[-1].endswith("2 ended badly, the first was seed 4")


def test_the_hash_is_that_of_all_marks():
    first, again, other = (
        run_of(lambda seed, at=at: f"{seed if seed != at else 0}", range(9))[0].hash
        for at in (-1, -1, 5)
    )
    assert first == again != other


@pytest.mark.parametrize("kind", ["quorum", "elections", "replication", "leaders"])
def test_the_same_seed_has_the_same_mark_and_another_one_another(kind, seed):
    scenario = SCENARIOS[kind]
    mark = scenario(seed)
    assert mark == scenario(seed)
    if kind in ("quorum", "elections"):
        assert mark != scenario(seed + 2)


@pytest.mark.parametrize("words", [["fables", "7", "0"], ["quorum", "0", "0"]])
def test_what_cannot_be_run_is_refused_in_one_sentence(words, capsys):
    assert main(words) == WRONG_USAGE
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("dev sim: ")
    assert line.endswith(".")
