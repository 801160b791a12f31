"""Long lists: the same JSON as at once, and others go on meanwhile."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from moldau.platform.simulated import tasks as simulated_tasks
from moldau.programs.console.lookups.long_lists import ROWS, list_in_slices, reply_in_slices


class Clock:
    """On which every look takes a slice."""

    def __init__(self):
        self.now = 0

    def monotonic_ns(self):
        self.now += 2_000_000
        return self.now


def replied(rows, rest=None):
    others = []

    async def main(tasks):
        reach: Any = SimpleNamespace(clock=Clock(), tasks=tasks)

        async def other():
            for _ in range(5):
                others.append(1)
                await tasks.turn()

        tasks.spawn("other", other())
        if rest is None:
            answer = await list_in_slices(reach, rows)
        else:
            answer = await reply_in_slices(reach, "rows", rows, rest)
        return answer, len(others)

    return simulated_tasks.run(main)


@pytest.mark.parametrize("count", [0, 1, ROWS, ROWS + 1, 3 * ROWS])
@pytest.mark.parametrize("rest", [{}, {"errors": ["ä"], "is_cut": False}])
def test_it_is_the_same_as_at_once(count, rest):
    rows = [{"group": f'"{number}', "state": None} for number in range(count)]
    answer, _ = replied(rows, rest)
    assert json.loads(answer.body) == {"rows": rows, **rest}


@pytest.mark.parametrize("count", [0, 1, ROWS + 1])
def test_rows_alone_are_a_list(count):
    answer, _ = replied(range(count))
    assert json.loads(answer.body) == [*range(count)]


@pytest.mark.parametrize("rest", [{}, None])
def test_others_go_on_between_two_slices(rest):
    assert replied(range(4 * ROWS), rest)[1] >= 3
