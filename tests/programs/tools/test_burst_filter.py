"""A log that is flooded stays short, and says how much it leaves out."""

import logging
from weakref import ref

import pytest

from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.tools.burst_filter import BURST_LINES_MAX, KINDS_MAX, WINDOW_MS, BurstFilter


class Lines(logging.Handler):
    """What is written, without times."""

    def __init__(self):
        super().__init__()
        self.written = []

    def emit(self, record):
        self.written.append(f"{record.levelname} {record.getMessage()} ({record.name})")


@pytest.fixture
def logger():
    made = logging.Logger("moldau.a")
    made.addHandler(Lines())
    return made


def flooded(logger, flood, *, then_ms=0):
    """What is written of a flood: at once, when a time has passed, and at the end."""
    handler, clock = logger.handlers[0], SimulatedClock()

    async def main(tasks):
        limits = BurstFilter(handler, clock, tasks)
        limits.begin()
        flood()
        at_once = len(handler.written)
        await tasks.sleep(then_ms)
        later = len(handler.written)
        limits.close()
        written = handler.written
        return written[:at_once], written[at_once:later], written[later:]

    return simulated_tasks.run(main, clock)


def test_lines_of_one_kind_pass_ten_times_and_are_counted_then(logger):
    at_once, later, end = flooded(
        logger, lambda: [logger.info("Closing %d", number) for number in range(322)],
        then_ms=WINDOW_MS,
    )  # fmt: skip
    assert at_once == [f"INFO Closing {number} (moldau.a)" for number in range(BURST_LINES_MAX)]
    assert later == [
        "INFO … 312 more of these in the last 30 s, the last of them: Closing 321 (moldau.a)"
    ]
    assert end == []


def test_a_text_that_is_repeated_passes_once(logger):
    at_once, later, end = flooded(logger, lambda: [logger.error("It lasts") for _ in range(5)])
    assert at_once == ["ERROR It lasts (moldau.a)"]
    assert later == []
    assert end[0].startswith("ERROR … 4 more of these in the last 0 s")


def test_what_did_not_repeat_is_never_reported_again(logger):
    def calm():
        logger.info("one")
        logger.warning("one")
        logger.info("two %d", 2)

    assert flooded(logger, calm, then_ms=3 * WINDOW_MS) == (
        ["INFO one (moldau.a)", "WARNING one (moldau.a)", "INFO two 2 (moldau.a)"], [], []
    )  # fmt: skip


class Met(Exception):
    """An error that can be watched."""


def test_what_a_line_spoke_of_is_not_kept(logger):
    watched: list[ref[Met]] = []
    gone = []

    def say():
        error = Met("It lasts")
        watched.append(ref(error))
        logger.info("Closing: %s", error)

    def flood():
        for _ in range(BURST_LINES_MAX + 2):
            say()
        gone.append(watched[-1]() is None)

    flooded(logger, flood)
    assert gone == [True]


def test_a_new_window_begins_anew(logger):
    async def main(tasks):
        limits = BurstFilter(logger.handlers[0], SimulatedClock(), tasks)
        limits.begin()
        for _ in range(2):
            logger.info("It lasts")
            logger.info("It lasts")
            await tasks.sleep(WINDOW_MS)
        return len(logger.handlers[0].written)

    assert simulated_tasks.run(main) == 4


def test_two_errors_are_two_lines(logger):
    def fail():
        for number in (1, 2, 1):
            try:
                raise ValueError(number)
            except ValueError:
                logger.exception("A bug")

    assert len(flooded(logger, fail)[0]) == 2


def test_readily_made_texts_take_bounded_memory(logger):
    handler = logger.handlers[0]

    async def main(tasks):
        limits = BurstFilter(handler, SimulatedClock(), tasks)
        limits.begin()
        for number in range(2 * KINDS_MAX):
            logger.info(f"{number} is readily made")
        return len(limits._bursts)

    assert simulated_tasks.run(main) <= KINDS_MAX + 1
    assert len(handler.written) == KINDS_MAX + BURST_LINES_MAX


def test_a_line_with_wrong_arguments_is_the_handlers_affair(logger):
    (line,), _, _ = flooded(logger, lambda: logger.handlers[0].filter(
        logging.LogRecord("a", logging.INFO, "", 0, "%d", ("x",), None)
    ) and logger.info("it passed"))  # fmt: skip
    assert line == "INFO it passed (moldau.a)"
