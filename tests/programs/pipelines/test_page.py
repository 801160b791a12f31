"""The example of docs/pipelines.md runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from deltalake import DeltaTable

PAGE = Path(__file__).parents[3] / "docs" / "pipelines.md"


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_the_example_of_the_page_runs(spark, tmp_path):
    examples = re.findall(r"```py\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (example,) = [each for each in examples if not each.startswith("# not run by the tests: ")]
    text = example.replace('"lake/', f'"{tmp_path}/').replace("query.awaitTermination(30)", WAIT)
    exec(compile(text, str(PAGE), "exec"), {"__name__": "example"})
    assert DeltaTable(tmp_path / "numbers").count() >= 100


WAIT = "while not query.recentProgress: query.awaitTermination(1)"
"""A reader may wait half a minute; a test has seen enough after a batch."""
