"""The hot modules, each tested as its source runs and as mypyc compiles it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.protocol.records.hot_both_ways import PLAIN_AND_COMPILED, load


@pytest.fixture(params=PLAIN_AND_COMPILED)
def scan(request: pytest.FixtureRequest) -> Any:
    return load(request.param, "scan")


@pytest.fixture(params=PLAIN_AND_COMPILED)
def pack(request: pytest.FixtureRequest) -> Any:
    return load(request.param, "pack")


@pytest.fixture(params=PLAIN_AND_COMPILED)
def survey(request: pytest.FixtureRequest) -> Any:
    return load(request.param, "survey")
