"""Lines of what was changed."""

import logging

from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.console.audit import KEPT, Audit


def test_the_latest_line_comes_first_and_their_number_is_bounded():
    audit = Audit(SimulatedClock())
    for number in range(KEPT + 2):
        audit.add("ann", f"moldau {number}")
    assert len(audit.lines()) == KEPT
    assert audit.lines()[0]["command"] == f"moldau {KEPT + 1}"


def test_a_name_cannot_write_a_line_of_its_own(caplog):
    caplog.set_level(logging.INFO)
    Audit(SimulatedClock()).add("ann\nERROR forged", "moldau topics", "no topic a\nERROR forged")
    assert "\n" not in caplog.messages[0]
    assert r"failed: 'no topic a\nERROR forged'" in caplog.messages[0]
