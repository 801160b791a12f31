"""The line that shows how a node is doing."""

from __future__ import annotations

import logging
from io import StringIO

import pytest

from moldau.programs.tools.live_status import ERASE, LiveStatus, status_line, up_time
from tests.broker.node.simulated_node import run


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3661, "1 h 1 min")]
)
def test_time_is_written_as_people_write_it(seconds, text):
    assert up_time(seconds) == text


def test_the_line_is_written_every_second_until_it_is_stopped():
    async def main(machine):
        node = machine.node()
        await node.start()
        await machine.connect(node)
        out = StringIO()
        status = LiveStatus(node, machine.world(), out)
        await machine.tasks.sleep(2500)
        status.stop()
        await machine.tasks.sleep(5000)
        line = status_line(node, 7, 3)
        await node.stop()
        return out.getvalue(), line

    written, line = run(main)
    assert written.count("up ") == 3
    assert written.endswith("stopping in order\n")
    assert line == "up 3 s   1 connection   0 topics, 0 partitions   7 requests/s"


@pytest.fixture
def log_to():
    """A place that the log goes to as long as the test lasts."""
    out = StringIO()
    handler = logging.StreamHandler(out)
    logging.getLogger().addHandler(handler)
    yield out
    logging.getLogger().removeHandler(handler)


def test_what_is_logged_takes_its_place_and_a_narrow_terminal_gets_less_of_it(log_to):
    async def main(machine):
        node = machine.node()
        await node.start()
        status = LiveStatus(node, machine.world(), log_to, lambda: 20)
        logging.getLogger("moldau").warning("mind the step")
        await machine.tasks.sleep(1000)
        status.stop()
        logging.getLogger("moldau").warning("after it")
        await node.stop()

    run(main)
    shown = log_to.getvalue().split(ERASE)
    assert shown[1:] == [
        "up 0 s   0 connecti",
        "mind the step\n",
        "up 1 s   0 connecti",
        "stopping in order\nafter it\n",
    ]
