"""The examples of docs/pipelines.md run as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable

PAGE = Path(__file__).parents[3] / "docs" / "pipelines.md"


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_the_examples_of_the_page_run(spark, tmp_path):
    examples = re.findall(r"```py\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(examples) == 2
    namespace: dict[str, Any] = {"__name__": "example"}
    for example in examples:
        text = example.replace('"lake/', f'"{tmp_path}/')
        text = text.replace("query.awaitTermination(30)", WAIT)
        exec(compile(text, str(PAGE), "exec"), namespace)
    assert DeltaTable(tmp_path / "numbers").count() >= 100
    assert namespace["earlier"].count() == 100
    assert namespace["fresh"].isStreaming


WAIT = "while not query.recentProgress: query.awaitTermination(1)"
"""A reader may wait half a minute; a test has seen enough after a batch."""
