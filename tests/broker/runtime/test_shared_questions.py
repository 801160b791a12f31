"""Questions that come while one is under way share the next."""

from __future__ import annotations

from moldau.broker.runtime.shared_questions import PARTS_MAX, SharedQuestions
from moldau.errors import NetworkError
from moldau.platform.simulated import tasks as simulated_tasks


def ask_all(count, failing=()):
    """What was asked together, and the outcomes."""

    async def main(tasks):
        asked: list[list[int]] = []

        async def ask(parts):
            asked.append(list(parts))
            await tasks.sleep(1)
            if set(parts) & set(failing):
                raise NetworkError("there", "reset")
            return [-part for part in parts]

        questions: SharedQuestions[int, int] = SharedQuestions(tasks, "questions", ask)
        outcomes: dict[int, object] = {}

        async def one(part):
            try:
                outcomes[part] = await questions.ask(part)
            except NetworkError as error:
                outcomes[part] = str(error)

        first = tasks.spawn("the first", one(0))
        await tasks.sleep(0.1)
        others = [tasks.spawn(f"{part}", one(part)) for part in range(1, count)]
        for task in [first, *others]:
            await task
        return [len(parts) for parts in asked], outcomes

    return simulated_tasks.run(main)


def test_the_first_goes_alone_and_the_others_together():
    assert ask_all(4) == ([1, 3], {0: 0, 1: -1, 2: -2, 3: -3})


def test_a_request_is_bounded():
    sizes, _ = ask_all(PARTS_MAX + 3)
    assert sizes == [1, PARTS_MAX, 2]


def test_a_failure_is_of_all_that_were_asked_together_and_of_no_others():
    _, outcomes = ask_all(3, failing=[0])
    assert outcomes == {0: "there: reset", 1: -1, 2: -2}
