"""Pipelines whose lake is in an object store: nothing is changed but the address of their lake."""

from __future__ import annotations

import pytest

from tests.judges.java_for_spark import need_java
from tests.judges.object_store import BUCKET, object_store

NAMES = ["etl", "clickstream", "logs", "fraud", "cdc", "telemetry", "sourcing", "services"]


@pytest.fixture(scope="module")
def storage():
    """The options with which a client finds the server."""
    need_java()
    with object_store() as settings:
        yield settings


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(2_700)
@pytest.mark.parametrize("name", NAMES)
def test_a_pipeline_gives_in_an_object_store_what_it_gives_in_a_folder(
    storage, showing_of, tmp_path, name
):
    lake = f"{BUCKET}/{tmp_path.name}"
    options = [word for pair in storage.items() for word in ("--storage", "=".join(pair))]
    running = showing_of(name).run(tmp_path, ["--lake", lake, *options], {})
    assert running.exit_code == 0, running.last_words()
    assert not (tmp_path / "lake").exists(), "no table is in a folder"
    showing_of(name).ensure_same(lake, storage)
