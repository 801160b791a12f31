"""One after the other."""

from moldau.platform.simulated import tasks as simulated_tasks
from moldau.programs.registry.turns import Turns


def test_one_is_inside_at_a_time_and_the_first_that_came_is_next():
    async def main(tasks):
        turns, seen = Turns(tasks), []

        async def work(number):
            async with turns.turn():
                seen.append(("in", number))
                await tasks.sleep(10)
                seen.append(("out", number))

        for number in range(3):
            tasks.spawn(f"work {number}", work(number))
        await tasks.sleep(100)
        return seen

    assert simulated_tasks.run(main) == [(way, n) for n in range(3) for way in ("in", "out")]


def test_one_that_gives_up_does_not_hold_up_the_others():
    async def main(tasks):
        turns, seen = Turns(tasks), []

        async def work(number, ms):
            async with turns.turn():
                seen.append(number)
                await tasks.sleep(ms)

        tasks.spawn("first", work(1, 50))
        await tasks.sleep(1)
        leaving = tasks.spawn("leaving", work(2, 1))
        tasks.spawn("last", work(3, 1))
        await tasks.sleep(1)
        leaving.cancel()
        await tasks.sleep(200)
        return seen

    assert simulated_tasks.run(main) == [1, 3]
