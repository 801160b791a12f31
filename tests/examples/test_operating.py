"""What the page for operators hands to other programs is what they understand."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import Page
from tests.tidy.source import ROOT

PAGE = Page("docs/operating.md", (ROOT / "docs/operating.md").read_text())
METRIC = re.compile(r"^\| `((?:kafka|moldau)_\w+)`", re.MULTILINE)


def test_systemd_takes_the_unit(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    (unit,) = [block.text for block in PAGE.blocks if block.language == "ini"]
    command = str(Path(sys.executable).parent / "moldau")
    unit = unit.replace("/opt/moldau/bin/moldau", command).replace("User=moldau", "User=root")
    (tmp_path / "moldau.service").write_text(unit)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "moldau.service")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert [line for line in done.stderr.splitlines() if "moldau.service" in line] == []
    assert done.returncode == 0, done.stderr


def test_the_metrics_to_watch_exist():
    known = (ROOT / "docs/generated/metrics.md").read_text()
    metrics = METRIC.findall(PAGE.text)
    assert len(metrics) > 5
    assert [name for name in metrics if f"`{name}`" not in known] == []
