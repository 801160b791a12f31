"""`moldau doctor`, at a node that is well and at none."""

import json

from moldau.programs.tools.cluster import findings
from moldau.programs.tools.cluster.findings import CHECKS


def test_a_cluster_that_is_well_has_no_findings(call, monkeypatch):
    monkeypatch.setattr(findings, "FREE_SHARE_MIN", 0.0)  # the disk of this machine may be full
    code, lines = call("doctor")
    assert (code, lines) == (0, [f"In order: {', '.join(CHECKS)}.", "0 findings."])


def test_a_cluster_that_does_not_answer_is_a_finding(call):
    words = (
        "--command-property default.api.timeout.ms=500 --command-property request.timeout.ms=500"
    )
    code, lines = call(f"doctor --json -b 127.0.0.1:1 {words}")
    (found,) = map(json.loads, lines)
    assert (code, found["level"], found["subject"]) == (1, "error", "listeners")
    assert "connection refused" in found["cause"]
