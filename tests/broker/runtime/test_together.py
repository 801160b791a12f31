"""Several things are waited for at a time."""

from __future__ import annotations

import pytest

from moldau.broker.runtime.together import AT_ONCE, together
from moldau.errors import KafkaError
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock


def run(things, work_ms=10):
    """Outcomes, and how long all of it took; negative things are refused."""
    clock = SimulatedClock()

    async def main(tasks):
        async def begin(thing):
            await tasks.sleep(work_ms)
            if thing < 0:
                raise KafkaError(7)
            return 2 * thing

        began_ns = clock.monotonic_ns()
        outcomes = await together(tasks, "doubling", begin, things)
        return outcomes, (clock.monotonic_ns() - began_ns) // 1_000_000

    return simulated_tasks.run(main, clock)


@pytest.mark.parametrize(("count", "took_ms"), [(0, 0), (1, 10), (7, 10), (AT_ONCE + 1, 20)])
def test_outcomes_come_in_order_and_hundreds_take_as_long_as_one(count, took_ms):
    assert run(range(count)) == ([2 * one for one in range(count)], took_ms)


def test_a_refusal_is_raised():
    with pytest.raises(KafkaError):
        run([1, -1, 2])
