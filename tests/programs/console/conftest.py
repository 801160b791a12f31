"""A node with a console, the same for all tests of this folder: use topics of your own."""

from __future__ import annotations

import uuid

import pytest

from tests.programs.console.busy_cluster import busy_console
from tests.programs.console.running_console import RunningConsole


@pytest.fixture(scope="session")
def console(tmp_path_factory):
    running = RunningConsole(tmp_path_factory.mktemp("console"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def busy(tmp_path_factory):
    """The console of three nodes under load, for the tests of one file."""
    with busy_console(tmp_path_factory.mktemp("busy")) as console:
        yield console


@pytest.fixture
def topic(console):
    """Of one partition."""
    return console.make(f"topic-{uuid.uuid4().hex[:12]}")
