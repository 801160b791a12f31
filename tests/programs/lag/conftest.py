"""A node of ours, for what needs a cluster: use topics and groups of your own."""

import pytest

from tests.interop.running_node import running_node


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    with running_node(tmp_path_factory.mktemp("node")) as bootstrap:
        yield bootstrap
